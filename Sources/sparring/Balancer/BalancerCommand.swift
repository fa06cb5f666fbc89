import ArgumentParser
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// `sparring balancer`
struct BalancerCommand: WordedCommand {
    static let abstract = "Print the configuration of a load balancer for several servers."
    static var subcommands: [any ParsableCommand.Type] { [HAProxy.self] }

    struct HAProxy: LocalCommand {
        static let abstract = "Print a configuration of HAProxy."
        static let discussion = """
            A new sandbox is made at the node with the fewest connections that accepts one; everything else goes to the node that its host names, as --advertise \
            of 'serve' says it. Clients that have one address for all nodes are led by their account: see --map.
              sparring balancer haproxy --host sparring.test \\
                --node a=10.0.0.1 --node b=10.0.0.2 > haproxy.cfg
              haproxy -c -f haproxy.cfg
            """

        @Option(
            name: .customLong("node"),
            help: ArgumentHelp(
                "A node's name and where HAProxy reaches it; --node of 'serve' has the same name. Give it once for each.",
                valueName: "name=address"))
        var nodes: [String] = []
        @Option(
            help: ArgumentHelp(
                "The domain of the nodes' hosts: node a is a.DOMAIN. Each node is started with that host as --advertise.",
                valueName: "domain"))
        var host = "sparring.localhost"
        @Option(help: "HAProxy's port for plain HTTP.") var port = 8080
        @Option(help: "HAProxy's port for TLS.") var tlsPort = 8443
        @Option(help: "The nodes' port for plain HTTP. Default: --port.") var nodePort: Int?
        @Option(help: "The nodes' port for TLS. Default: --tls-port.") var nodeTLSPort: Int?
        @Flag(name: .customLong("no-tls"), help: "Plain HTTP only.") var isPlain = false
        @Option(help: ArgumentHelp("HAProxy ends the TLS, with this certificate and key in PEM. Default: the nodes do.", valueName: "file"))
        var certificate: String?
        @Option(
            help: ArgumentHelp("The authority of the nodes' own certificates, in PEM. Without it, they are not checked.", valueName: "file")
        )
        var authority: String?
        @Option(
            help: ArgumentHelp(
                "File with a line 'vendor/account node' for each account, to which `sparring sandbox create --map` appends.",
                valueName: "file"))
        var map: String?
        @Option(help: ArgumentHelp("HAProxy's stats socket, to which `sandbox create --map-socket` reports a new line.", valueName: "file"))
        var socket = "/run/haproxy/sparring.sock"
        @OptionGroup var source: ContractCommand.Source

        func validate() throws {
            if nodes.isEmpty { throw ValidationError("--node: give at least one, such as --node a=10.0.0.1.") }
            if authority != nil, certificate == nil { throw ValidationError("--authority is used with --certificate.") }
            if isPlain, certificate != nil { throw ValidationError("--no-tls and --certificate cannot be used together.") }
            let ports = [("--port", port), ("--tls-port", tlsPort), ("--node-port", nodePort), ("--node-tls-port", nodeTLSPort)]
            for (name, number) in ports {
                if let number, !(1...65_535).contains(number) { throw ValidationError("\(name) must be from 1 to 65535.") }
            }
            var seen: Set<String> = []
            for (name, _) in try nodes.map(read) where !seen.insert(name).inserted {
                throw ValidationError("--node: '\(name)' is given twice.")
            }
            if Authority(host)?.host != host { throw ValidationError("--host: '\(host)' is not a domain such as sparring.test.") }
            // They stand in HAProxy's file as they are.
            for text in [certificate, authority, map, socket].compactMap(\.self) where text.contains(where: { " \t\n\"'\\#".contains($0) })
            {
                throw ValidationError("'\(text)' has a character that HAProxy's file cannot have in a path.")
            }
        }

        private func read(_ text: String) throws -> (name: String, address: String) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let address = Authority(parts[1]), address.port == nil else {
                throw ValidationError("--node: '\(text)' is not a name and a host or address, such as a=10.0.0.1.")
            }
            do { return (try Node(parts[0]).name, parts[1]) } catch { throw ValidationError("--node: \(error).") }
        }

        func perform() async throws {
            let contracts = try source.folder().contracts.filter { $0.vendor != "admin" }
            let made = try nodes.map(read).map { name, address in
                HAProxyConfiguration.Node(
                    name: name, address: address, host: "\(name).\(host)".lowercased(), port: nodePort ?? port,
                    tlsPort: isPlain ? nil : nodeTLSPort ?? tlsPort)
            }
            let configuration = HAProxyConfiguration(
                nodes: made, port: port, tlsPort: isPlain ? nil : tlsPort,
                tls: certificate.map { .ended(certificate: $0, authority: authority) } ?? .passed, map: map, socket: socket,
                contracts: contracts,
                command: ShellText.line(["sparring"] + CommandLine.arguments.dropFirst()))
            try Terminal.print(configuration.text)
        }
    }
}
