import ArgumentParser
import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// Options of a server that several people share, or that is one of several servers.
struct FarmOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Name of this server if there are several, such as 'a'; no other node hands out the same ids. Give --advertise too, so that \
            clients that come through a balancer stay on this node.
            """, valueName: "name"))
    var node: String?
    @Option(
        help: ArgumentHelp(
            """
            How long an unused sandbox lives if it was created through the admin API; 'sandbox create --ttl' overrides this. Default: \
            until it is deleted.
            """,
            valueName: "duration"))
    var ttl: String?
    @Option(help: ArgumentHelp("The longest time to live that a sandbox may have. Default: no limit.", valueName: "duration"))
    var maxTTL: String?
    @Option(help: ArgumentHelp("Maximum number of sandboxes; more are refused with 503. Default: no limit.", valueName: "number"))
    var maxSandboxes: Int?
    @Option(help: ArgumentHelp("Maximum number of open client sockets; more are refused with 503. Default: no limit.", valueName: "number"))
    var maxSockets: Int?
    @Option(help: ArgumentHelp("Maximum number of open connections for each port; another one waits until one ends.", valueName: "number"))
    var maxConnections = 8192
    @Option(
        help: ArgumentHelp(
            "Database size in megabytes (MiB) above which new sandboxes are refused with 503; existing ones continue. Default: no limit.",
            valueName: "size"))
    var maxSize: Int?

    func validate() throws {
        if let node {
            do { _ = try Node(node) } catch { throw ValidationError("--node: \(error)") }
        }
        _ = try lifetimes
        for (name, number) in [
            ("--max-sandboxes", maxSandboxes), ("--max-sockets", maxSockets), ("--max-size", maxSize),
            ("--max-connections", maxConnections),
        ] {
            if let number, !(1...1_048_576).contains(number) { throw ValidationError("\(name) must be from 1 to 1048576") }
        }
    }

    func apply(to launch: inout ServerLaunch) throws {
        launch.options.engine.node = try node.map { try Node($0) }
        launch.options.engine.limits.sandboxes = maxSandboxes
        launch.options.engine.limits.sockets = maxSockets
        launch.options.engine.limits.bytes = maxSize.map { $0 << 20 }
        launch.options.lifetimes = try lifetimes
        launch.ports.connectionLimit = maxConnections
    }

    private var lifetimes: LifetimeLimits {
        get throws {
            let limits = LifetimeLimits(standard: try Self.duration("--ttl", ttl), longest: try Self.duration("--max-ttl", maxTTL))
            if let standard = limits.standard, let longest = limits.longest, standard > longest {
                throw ValidationError("--ttl \(standard.shortText) is longer than --max-ttl \(longest.shortText)")
            }
            return limits
        }
    }

    private static func duration(_ name: String, _ text: String?) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = Duration(text: text) else { throw ValidationError("\(name): \(Duration.refusal(of: text))") }
        guard duration >= Lifetime.shortest else { throw ValidationError("\(name) must be \(Lifetime.shortest.shortText) or longer") }
        return duration
    }
}
