public import ArgumentParser
import CMalloc
import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
public import SparringSandbox
import UnixSignals

/// `sparring serve`
struct Serve: WordedCommand {
    static let abstract = "Start the mock server; Ctrl-C stops it."
    static let discussion = """
        Without further options: plain HTTP on 127.0.0.1:8080, TLS on 8443, and a sandbox 'default'.
          sparring serve --port 0 --ready-file ready.json \\
            --fault 'liveperson.Login.* token-expired times=2'
        """

    private static let usualTLSPort = 8443

    @Option(help: "Port for plain HTTP; 0 picks a free one.") var port = 8080
    @Option(help: "Port for TLS; 0 picks a free one. Default: \(usualTLSPort).") var tlsPort: Int?
    @Flag(help: "Serve plain HTTP only.") var noTLS = false
    @OptionGroup var proxy: ProxyOptions
    @Flag(
        help:
            "Open an extra TLS port for each TLS defect that a server can have. The ports are printed at start, and are in the ready file."
    )
    var tlsDefects = false
    @Option(name: .customLong("bind"), help: "Address to listen on; may be given several times. Default: 127.0.0.1 and ::1.")
    var addresses: [String] = []
    @Option(name: .customLong("host"), help: "An additional name of this machine for the certificate; may be given several times.")
    var hosts: [String] = []
    @Option(
        help: ArgumentHelp(
            """
            The address for the URLs that Sparring hands out: a host, or URLs such as https://sparring.test:9443; may be given twice, \
            for http and https. Default: the host and port that each client used.
            """, valueName: "url"))
    var advertise: [String] = []
    @Option(help: "SQLite file to keep everything in. Default: a temporary one.") var database: String?
    @Option(help: "How safely Sparring stores changes before it answers: 'process' survives a crash of Sparring, 'power' also a power cut.")
    var durability = Store.Durability.process
    @Option(help: "How many entries each sandbox's journal keeps.") var journalLimit = 50_000
    @Option(help: ArgumentHelp("Megabytes (MiB) that each sandbox's journal keeps; the oldest entries are dropped.", valueName: "size"))
    var journalSize = 256
    @Option(help: "Seed of the sandbox 'default'. Default: its scenario's, else 1.") var seed: Int64?
    @Option(
        help: "Scenario to create the sandbox 'default' from: a name (see `sparring scenario list`) or a YAML file.",
        completion: KnownNames.scenarios)
    var scenario: String?
    @Option(name: .customLong("config"), help: "YAML file that declares sandboxes, tenants and faults; SIGHUP reloads it.")
    var configurationFile: String?
    @Option(
        name: .customLong("fault"),
        help: "Fault for the sandbox 'default', such as '*.Login.* delay by=2s times=3'; may be given several times.")
    var faults: [String] = []
    @Option(
        help: """
            File to which the server writes port, tlsPort, tlsDefects, proxyPort, pid, version and adminToken, as JSON, once it answers \
            requests; only the file's owner can read it.
            """
    )
    var readyFile: String?
    @Option(
        name: .customLong("vendor"),
        help: "Start only this vendor, and the identity provider; may be given several times. Default: all.", completion: KnownNames.vendors
    )
    var vendors: [String] = []
    @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var probed: ProbedOptions
    @Flag(help: "Refuse anything that the contract does not allow, even if the vendor would accept it.") var strict = false
    @Option(help: "Folder of the ready-made scenarios. Default: the one that came with this binary.") var scenarios: String?
    @Option(help: "Folder of the certificate authority. Default: sparring in XDG_DATA_HOME, else in ~/.local/share.") var caFolder: String?
    @Option(
        help: """
            Token that the admin API requires. Default: SPARRING_ADMIN_TOKEN, which other users cannot see, unlike an option; else, if the server is bound to \
            more than loopback, a new one, printed at start.
            """)
    var adminToken: String?
    @Flag(name: .customLong("no-page"), help: "Do not serve the live page.") var isWithoutPage = false
    @OptionGroup(title: "Sharing") var farm: FarmOptions
    @Option(help: "Seconds to wait for delayed answers when the server stops.") var grace = 5
    @Flag(help: "Print only errors: no greeting and, on a terminal, no line for each call.") var quiet = false

    func validate() throws {
        if noTLS, tlsDefects { throw ValidationError("--no-tls and --tls-defects cannot be used together") }
        if noTLS, proxy.port != nil {
            throw ValidationError("--no-tls and --proxy-port cannot be used together: clients call the vendors' hosts with TLS")
        }
        if noTLS, tlsPort ?? 0 != 0 { throw ValidationError("--no-tls and --tls-port cannot be used together") }
        let secure = noTLS ? 0 : tlsPort ?? Self.usualTLSPort
        try ChosenPort.validate([ChosenPort("--port", port), ChosenPort("--tls-port", secure), ChosenPort("--proxy-port", proxy.port ?? 0)])
        if adminToken?.isEmpty == true { throw ValidationError("--admin-token is empty; leave it out for a new one") }
        try FaultFile.validate(faults)
        if journalLimit < 1 { throw ValidationError("--journal-limit must be 1 or more") }
        if !(1...1_048_576).contains(journalSize) { throw ValidationError("--journal-size must be from 1 to 1048576") }
        if !(0...86_400).contains(grace) { throw ValidationError("--grace must be from 0 to 86400 seconds") }
    }

    func run() async throws {
        do {
            try await serve()
        } catch let error as ExitCode {
            throw error
        } catch {
            let failure = CommandFailure(error)
            FileHandle.standardError.write(Data("sparring serve: \(failure?.text ?? "\(error)")\n".utf8))
            throw ExitCode(failure?.status ?? 70)
        }
    }

    private func serve() async throws {
        signal(SIGPIPE, SIG_IGN)
        // Of a server that was killed: a process that waits for the file must not find the old one.
        if let readyFile { try PrivateFile.makeWay(for: readyFile) }
        let resources = try Resources.locate(contracts: contracts, scenarios: scenarios)
        let authority = noTLS ? nil : try Resources.authority(in: caFolder)
        let given = adminToken ?? Variables["SPARRING_ADMIN_TOKEN"]
        let token = given ?? (isOnLoopback ? nil : Self.newToken())
        let launch = try launch(resources, authority, token: token)
        let (server, addresses, signals) = try await start(launch, authority, keys: resources.keys)
        if farm.node != nil, addresses.advertised == nil {
            Self.note(
                "--node without --advertise: a client that comes through a balancer is handed the balancer's address, which leads to any node"
            )
        }
        do {
            // What was needed to read contracts and rules goes back to the system: the allocator would keep it for as long as the server runs.
            malloc_trim(0)
            try announce(server, addresses, token: token, isNew: given == nil)
        } catch {
            // A temporary database goes with it.
            try? await server.engine.stop()
            throw error
        }
        // Nothing that is answered from then on could be kept.
        server.engine.onStoreEnded { _ in kill(getpid(), SIGTERM) }
        server.onDrained { kill(getpid(), SIGTERM) }
        let log = quiet || !Terminal.isInteractive ? nil : Task { await LiveLog(server: server).run() }
        let spare = Task { await SpareMemory.giveBack() }
        signals: for await signal in signals {
            switch signal {
            case .sighup: await reload(server)
            case .sigusr1: Self.note("SIGUSR1: \(server.drain())")
            default: break signals
            }
        }
        spare.cancel()
        log?.cancel()
        await log?.value
        defer { if let readyFile { unlink(readyFile) } }
        try await stop(server)
    }

    private func launch(_ resources: Resources, _ authority: LocalAuthority?, token: String?) throws -> ServerLaunch {
        var launch = try ServerLaunch(
            resources, overlays: try overlays.read(), isStrict: strict, vendors: vendors, database: database)
        try overlays.warn(contracts: resources.contracts)
        launch.options.engine.durability = durability
        try farm.apply(to: &launch)
        launch.options.engine.journal.entries = journalLimit
        launch.options.engine.journal.bytes = journalSize << 20
        launch.options.engine.notice = { Self.note($0) }
        launch.options.adminToken = token
        launch.options.live = try probed.read()
        if isWithoutPage { launch.options.page = nil }
        launch.hosts = hosts
        launch.advertised = try AdvertisedAddress(advertise)
        if !addresses.isEmpty { launch.ports.addresses = addresses }
        launch.ports.port = port
        if let authority {
            try launch.serveTLS(on: tlsPort ?? Self.usualTLSPort, with: authority)
            proxy.apply(to: &launch, authority)
        }
        return launch
    }

    private func start(
        _ launch: ServerLaunch, _ authority: LocalAuthority?, keys: String
    ) async throws -> (Server, Addresses, UnixSignalsSequence) {
        var signals: UnixSignalsSequence!
        let (server, addresses) = try await launch.start {
            try Server($0, keys: keys)
        } prepare: { server, ports in
            let wanted = try scenario.map { try server.scenarios.find($0) }
            if noTLS, let wanted, let defect = wanted.tls {
                throw ToolError("scenario '\(wanted.name)' needs the TLS port '\(defect)', which --no-tls does not open", .usage)
            }
            if let authority, tlsDefects || wanted?.tls != nil {
                ports.extraPorts = try authority.defectivePorts(hosts: launch.certificateHosts)
            }
            try await prepareSandboxes(server, wanted)
            signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigusr1)
        }
        return (server, addresses, signals)
    }

    /// A second signal does not wait for anybody.
    private func stop(_ server: Server) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.engine.stop(grace: .seconds(grace)) }
            group.addTask { [readyFile] in
                // The store's end is no second signal; it may come while the server stops.
                for await signal in signals where !server.engine.hasStoreEnded {
                    server.engine.abandon()
                    if let readyFile { unlink(readyFile) }
                    _exit(signal == .sigint ? 130 : 143)  // 128 and the signal's number, as shells have it
                }
                // No signal came; the stop is waited for.
                try await Task.sleep(for: .seconds(86_400))
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private var isOnLoopback: Bool { addresses.allSatisfy { $0 == "::1" || $0.hasPrefix("127.") } }

    /// Makes the sandboxes that the configuration declares, and `default` as the command line describes it.
    private func prepareSandboxes(_ server: Server, _ wanted: Scenario?) async throws {
        if let configurationFile { _ = try await server.apply(try ConfigurationFile.read(configurationFile)) }
        if let existing = server.world.sandbox("default") {
            if let wanted {
                let origin = existing.scenario.map { "made from scenario '\($0)'" } ?? "made without a scenario"
                Self.note("sandbox 'default' already exists, \(origin), and continues: scenario '\(wanted.name)' was not started")
            }
            do { try await server.world.arm(try faults.map(FaultFile.read), in: "default") } catch let refused as FaultRefused {
                throw ToolError("--fault: \(refused)", .usage)
            }
        } else {
            var request = World.SandboxRequest()
            request.name = "default"
            request.seed = seed ?? (wanted == nil ? 1 : nil)
            request.faults = try faults.map { .string(try FaultFile.read($0)) }
            do { _ = try await server.create(request, from: wanted) } catch World.ChangeError.fault(_, let refused) {
                throw ToolError("--fault: \(refused)", .usage)
            } catch let error as World.ChangeError { throw ToolError(error.description, .usage) }
        }
    }

    /// A bad file changes nothing.
    private func reload(_ server: Server) async {
        guard let configurationFile else { return Self.note("SIGHUP: there is no --config to read again") }
        do {
            for line in try await server.apply(try ConfigurationFile.read(configurationFile)) { Self.note(line) }
        } catch {
            Self.note("SIGHUP: nothing was changed: \(error)")
        }
    }

    private func announce(_ server: Server, _ addresses: Addresses, token: String?, isNew: Bool) throws {
        if !quiet { FileHandle.standardOutput.write(Data(Greeting.text(server, addresses, token: isNew ? token : nil).utf8)) }
        guard let readyFile else { return }
        let ready: JSON = .members([
            "port": .integer(Int64(addresses.port)), "tlsPort": addresses.tlsPort.map { .integer(Int64($0)) },
            "tlsDefects": addresses.tlsDefectsJSON, "proxyPort": addresses.proxyPort.map { .integer(Int64($0)) },
            "pid": .integer(Int64(getpid())), "version": .string(sparringVersion),
            "adminToken": token.map { .string($0) },
        ])
        try PrivateFile.write(ready.text + "\n", to: readyFile)
    }

    private static func note(_ line: String) { FileHandle.standardError.write(Data("sparring: \(line)\n".utf8)) }

    private static func newToken() -> String {
        (0..<4).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
    }
}

extension Store.Durability: ExpressibleByArgument {}
