import SparringAdmin
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox
import SparringVerdict

/// The server of a run: a new one in this process, or one that is there already.
struct RunServer: Sendable {
    /// The server's address, or the way it is started.
    enum Place: Sendable {
        case existing(url: String, token: String?)
        case new(ServerLaunch, ConfigurationFile?)
    }

    let client: AdminClient
    let host: String
    /// The URL with TLS; nil where there is no TLS.
    let tlsURL: String?
    /// The ports with TLS defects, by name.
    let tlsDefects: [String: Int]
    /// The forward proxy's port; nil where there is none, or where the server is not this process's own.
    let proxyPort: Int?
    /// The vendors that it has; nil: all, or it is not this process's own.
    let vendors: Set<String>?
    private let server: Server?
    private let keepsakes: Keepsakes

    /// It is this process's own, and ends with it.
    var isOwn: Bool { server != nil }

    /// - Throws: ``CommandFailure`` where nobody answers, and where it cannot be started.
    init(_ place: Place) async throws {
        switch place {
        case .existing(let url, let token): try await self.init(at: url, token: token)
        case .new(let launch, let configuration):
            do { try await self.init(launch, configuration) } catch let error as HTTPServerError {
                throw CommandFailure(text: "\(error)", status: 69)
            }
        }
    }

    private init(at url: String, token: String?) async throws {
        client = AdminClient(baseURL: url, token: token)
        let health = try await client.call(.readHealth).json
        let address = client.address
        let host = address?.host ?? "localhost"
        self.host = host
        tlsURL =
            address?.isTLS == true
            ? client.baseURL : health["tlsPort"]?.integer(in: 1...65_535).map { "https://\(host):\($0)" }
        tlsDefects = (health["tlsDefects"]?.object ?? [:]).reduce(into: [:]) { ports, port in
            ports[port.key] = port.value.integer(in: 1...65_535)
        }
        proxyPort = nil
        vendors = nil
        server = nil
        keepsakes = Keepsakes()
    }

    private init(_ launch: ServerLaunch, _ configuration: ConfigurationFile?) async throws {
        let keepsakes = Keepsakes()
        var launch = launch
        launch.options.willForget = { await keepsakes.keep($0) }
        let (server, addresses) = try await launch.start {
            try Server($0, keys: Resources.locate().keys)
        } prepare: { server, _ in
            if let configuration { _ = try await server.apply(configuration) }
        }
        await keepsakes.attach(to: server)
        self.server = server
        self.keepsakes = keepsakes
        client = AdminClient(baseURL: addresses.baseURL, token: nil)
        host = "localhost"
        tlsURL = addresses.tlsPort.map { "https://localhost:\($0)" }
        tlsDefects = addresses.tlsDefects
        proxyPort = addresses.proxyPort
        vendors = launch.options.vendors
    }

    /// The node that has a sandbox, where several stand behind one address; else the server itself.
    ///
    /// - Parameter sandbox: as the answer to its making shows it.
    func owner(of sandbox: JSON) async throws -> RunServer {
        guard let url = client.ownerURL(of: sandbox), server == nil else { return self }
        return try await RunServer(.existing(url: url, token: client.token))
    }

    /// Ends the server where it is this process's own.
    func stop() async throws { try await server?.engine.stop(grace: .seconds(1)) }

    // MARK: What it has

    /// Names of the scenarios that it knows.
    func scenarios() async throws -> [String] {
        try await client.call(.listScenarios).json["scenarios"]?.array?.compactMap { $0["scenario"]?.string } ?? []
    }

    /// In the order of their making.
    func sandboxes() async throws -> [String] {
        try await client.call(.listSandboxes).json["sandboxes"]?.array?.compactMap { $0["id"]?.string } ?? []
    }

    /// Calls that fitted no operation or no sandbox, and connections that brought none, oldest first.
    func unplaced(since number: Int64 = 0) async throws -> [JSON] {
        try await client.call(.listUnplaced).json["entries"]?.array?.filter { ($0["number"]?.integer ?? 0) > number } ?? []
    }

    func lastUnplaced() async throws -> Int64 { try await unplaced().last?["number"]?.integer ?? 0 }

    /// - Parameters:
    ///   - sandbox: its id.
    ///   - form: how, as the admin API takes it.
    ///   - settle: how much time may pass at most until nothing is undecided.
    ///   - clientHasEnded: its process: the sandbox's clock is advanced by that time then.
    /// - Throws: ``CommandFailure``, also for a rule that is not known.
    func judge(_ sandbox: String, _ form: JSON, settle: String? = nil, clientHasEnded: Bool = true) async throws -> VerdictReport {
        var form = form
        form["clientHasEnded"] = .bool(clientHasEnded)
        guard let server else { return try await client.verdicts(sandbox, form, settle: settle) }
        form = form.whole(settle: settle)
        do throws(AdminRefusal) { return try await server.judge(sandbox, form) } catch {
            throw CommandFailure(problem: error.document) ?? CommandFailure(text: "\(error)", status: 1)
        }
    }

    /// Varies the sandboxes that tests make themselves from now on; on a server that was already running, that is left to the tests.
    func vary(_ plan: JSON?) throws { try server?.world.vary(plan) }

    // MARK: Sandboxes that go away

    /// Judges every sandbox from now on before it is deleted or reset. Of a server that is there already nothing can be remembered.
    func remembers(_ form: JSON) async throws { if isOwn { try await keepsakes.begin(form) } }

    /// The verdicts that were reached in this way, in the order of the sandboxes' ends.
    func remembered() async throws -> [VerdictReport] { try await keepsakes.end() }
}

/// The verdicts on sandboxes that are gone.
private actor Keepsakes {
    private var server: Server?
    /// nil: nothing is kept.
    private var request: VerdictRequest?
    private var reports: [VerdictReport] = []
    private var failure: (any Error)?

    func attach(to server: Server) { self.server = server }

    func begin(_ form: JSON) throws {
        request = try VerdictRequest(form.whole())
        (reports, failure) = ([], nil)
    }

    func keep(_ sandbox: Sandbox) async {
        guard let server, let request else { return }
        do {
            let report = try await server.judge(sandbox, request)
            reports.append(report)
        } catch { failure = error }
    }

    func end() throws -> [VerdictReport] {
        request = nil
        if let failure { throw failure }
        return reports
    }
}

extension AdminClient {
    /// Requests the verdicts on a sandbox.
    ///
    /// - Throws: ``CommandFailure``.
    func verdicts(_ sandbox: String, _ form: JSON, settle: String? = nil) async throws -> VerdictReport {
        let json = try await call(.judge, in: sandbox, body: form.whole(settle: settle)).json
        do { return try VerdictReport(json: json) } catch {
            throw CommandFailure.foreign(baseURL, "verdicts that cannot be read (\(error))")
        }
    }
}

extension JSON {
    /// A request for verdicts, for reports with all that was judged.
    fileprivate func whole(settle: String? = nil) -> JSON {
        var form = self
        form["whole"] = true
        form["settle"] = settle.map(JSON.string)
        return form
    }
}
