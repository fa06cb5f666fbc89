import GRDB
public import SparringContract
public import SparringHTTP
public import SparringJSON
import SparringJournal
import SparringLocks
public import SparringVerdict

/// The whole of it: contracts, vendors, store, world and pipeline behind one HTTP server.
public final class Engine: Sendable {
    public struct Options: Sendable {
        public var version = "0"
        /// The folder of the `*.openapi.yaml` files.
        public var contracts = "contracts"
        /// The folder of the `*.yaml` files of the scenarios that have names; nil: none has.
        public var scenarios: String?
        /// Nil: a private file that is removed at the end.
        public var database: String?
        public var durability = Store.Durability.process
        /// Entries that a sandbox's journal keeps.
        public var journalLimit = 50_000
        /// Bytes that they may take together.
        public var journalBytes = JournalLimits().bytes
        public var adminToken: String?
        public var certificateAuthority: String?
        /// Whether vendors may call servers other than this one. Where not, each such call fails at once: for a process whose inputs name any host.
        public var callsAbroad = true
        /// Called with each notice for the operator, such as that all connections are in use.
        public var notice: @Sendable (String) -> Void = { _ in }
        /// Called with each connection to the database, before it is used.
        var prepareDatabase: (@Sendable (Database) -> Void)?

        public init() {}
    }

    public let world: World
    public let contracts: [Contract]
    public let scenarios: Scenarios
    public let behaviours: Behaviours
    private let store: Store
    private let pipeline: Pipeline
    private let outboundClient: OutboundClient
    private let server = Mutex<HTTPServer?>(nil)
    private let isRunningDueWork = Atomic(false)

    /// Reads the contracts, opens the database and takes up what an earlier process left in it.
    ///
    /// - Parameter vendors: makes the vendors, given their contracts by name.
    /// - Throws: ``ContractError`` where contracts and vendors do not fit, and for a scenario that cannot be played; ``ToolError`` and GRDB's
    ///   errors for the database.
    public convenience init(_ options: Options, vendors: ([String: Contract]) throws -> [any Vendor]) throws {
        try self.init(options, contracts: try Contract.load(directory: options.contracts), vendors: vendors)
    }

    /// The same with contracts, and rules, that have been read: for a process that starts many engines.
    public init(
        _ options: Options, contracts: [Contract], behaviours read: Behaviours? = nil, vendors: ([String: Contract]) throws -> [any Vendor]
    ) throws {
        self.contracts = contracts
        let byName = Dictionary(uniqueKeysWithValues: contracts.map { ($0.vendor, $0) })
        guard let adminContract = byName[AdminAPI.name] else {
            throw ToolError("\(options.contracts) has no \(AdminAPI.name).openapi.yaml")
        }
        let made = try vendors(byName)
        for contract in contracts where contract.vendor != AdminAPI.name && !made.contains(where: { $0.name == contract.vendor }) {
            throw ContractError(file: contract.file, message: "no vendor in this build is '\(contract.vendor)'")
        }
        let entries = try made.map { vendor in
            guard let contract = byName[vendor.name] else { throw ToolError("\(options.contracts) has no \(vendor.name).openapi.yaml") }
            return try VendorEntry(vendor, contract: contract)
        }
        try Self.requireOwnPlace(for: entries, in: adminContract)
        let routes = try Routes(contracts)
        var migrator = DatabaseMigrator()
        Schema.register(in: &migrator)
        for vendor in made { vendor.registerMigrations(in: &migrator) }
        let store = try Store(
            path: options.database, durability: options.durability, migrator: migrator, prepare: options.prepareDatabase)
        self.store = store
        // What is opened has an owner, who must let go of it where this comes to nothing.
        var isMade = false
        defer { if !isMade { try? store.close() } }
        let reader = FaultReader(entries.map(\.contract))
        var limits = JournalLimits()
        (limits.entries, limits.bytes) = (options.journalLimit, options.journalBytes)
        world = try World(vendors: entries, store: store, faultReader: reader, journal: limits)
        behaviours = try read ?? Behaviours(folder: options.contracts, contracts: entries.map(\.contract), effects: FaultVocabulary.words)
        scenarios = try Scenarios(folder: options.scenarios, world: world, contract: adminContract, rules: RuleNames(behaviours.rules))
        let unplaced = Unplaced(store: store, process: world.process)
        let facts = AdminAPI.Facts(version: options.version, certificateAuthority: options.certificateAuthority, token: options.adminToken)
        let admin = try AdminAPI(
            contract: adminContract, world: world, store: store, scenarios: scenarios, behaviours: behaviours, unplaced: unplaced,
            facts: facts)
        outboundClient = OutboundClient(callsAbroad: options.callsAbroad)  // after all that may throw: it must be shut down
        pipeline = Pipeline(
            routes: routes, world: world, store: store, admin: admin, outboundClient: outboundClient,
            addresses: Addresses(port: 0, tlsPort: nil, hosts: ["localhost", "127.0.0.1", "::1"], advertise: nil), unplaced: unplaced,
            notice: options.notice)
        outboundClient.pipeline.withLock { $0 = pipeline }
        isMade = true
    }

    /// - Throws: ``ContractError`` where a vendor is called as something that each sandbox has: both would lie at one path.
    private static func requireOwnPlace(for vendors: [VendorEntry], in admin: Contract) throws(ContractError) {
        let prefix = "/__admin/sandboxes/{sandbox}/"
        let taken = Set(
            admin.operations.map(\.pathTemplate).filter { $0.hasPrefix(prefix) }
                .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) })
        for vendor in vendors where taken.contains(vendor.name) {
            throw ContractError(
                file: vendor.contract.file,
                message: "no vendor can be called '\(vendor.name)': the admin API has \(prefix)\(vendor.name)")
        }
    }

    /// Brings the world into the state that a configuration file declares; all of it is checked before any of it is done.
    ///
    /// - Returns: one line for each sandbox, saying what was done.
    /// - Throws: ``ContractError`` with file and line; nothing has been changed then.
    public func apply(_ configuration: ConfigurationFile) async throws -> [String] {
        try await world.apply(configuration, scenarios: scenarios)
    }

    /// Judges what happened in a sandbox.
    ///
    /// - Parameter limit: how long to wait, by the machine's time, until nothing is left open. By the sandbox's clock it is advanced instead.
    /// - Throws: ``ConfigurationError`` for a rule that is not known.
    public func judge(_ sandbox: Sandbox, _ request: VerdictRequest, settlingFor limit: Duration = .zero) async throws -> VerdictReport {
        let rules = try request.rules(of: behaviours, expected: sandbox.expectations)
        return try await world.judge(sandbox, rules, behaviours, request.timing, settlingFor: limit)
    }

    /// Starts to serve.
    ///
    /// - Parameter hosts: names, beside loopback's, under which this server is known.
    /// - Returns: the addresses by which it can be reached.
    @discardableResult
    public func serve(_ options: HTTPServer.Options, hosts: [String] = [], advertise: String? = nil) throws -> Addresses {
        let server = try HTTPServer(options, handler: pipeline)
        if server.connectionLimit < options.connectionLimit {
            pipeline.notice(
                "each port serves \(server.connectionLimit) connections at once, not \(options.connectionLimit): "
                    + "the process may not open more files (ulimit -n)")
        }
        let names = ["localhost", "127.0.0.1", "::1"] + hosts + (advertise.map { [$0] } ?? []) + server.addresses
        let addresses = Addresses(
            port: server.port, tlsPort: server.tlsPort, tlsDefects: server.extraPorts, hosts: Set(names.map { $0.lowercased() }),
            advertise: advertise)
        pipeline.addresses.withLock { $0 = addresses }
        self.server.withLock { $0 = server }
        runDueWork()
        return addresses
    }

    /// What a client must be configured with to reach a sandbox's tenants, by vendor, in the vendors' order.
    public func published(_ sandbox: Sandbox, _ addresses: Addresses) -> [(vendor: String, JSON)] {
        world.vendors.compactMap { vendor in sandbox.tenant(of: vendor.name).map { (vendor.name, vendor.published($0, addresses)) } }
    }

    /// The target of a GET that a newcomer can try: of the first vendor that brands sign in to.
    public func exampleCall(in sandbox: Sandbox) -> String? {
        for vendor in world.vendors where !(vendor.vendor is any CredentialIssuer) {
            guard let tenant = sandbox.tenant(of: vendor.name) else { continue }
            for operation in vendor.contract.operations {
                if let target = operation.exampleTarget(ofTenant: tenant.id) { return target }
            }
        }
        return nil
    }

    /// Takes a request straight into the pipeline, without a socket.
    public func answer(_ request: Request) async -> Delivery {
        runDueWork()
        return await withCheckedContinuation { continuation in
            pipeline.take(Incoming(request) { continuation.resume(returning: $0.delivery) })
        }
    }

    /// Not before the first call can come: what is due may call this server.
    private func runDueWork() {
        let isRunning = isRunningDueWork.exchange(true, ordering: .acquiringAndReleasing)
        if !isRunning { world.runDueWork(by: DueRunner(pipeline)) }
    }

    /// Stops in order: waits for the journal end at once, requests in flight are answered; deliberate delays and calls of
    /// others are cut short after `grace`. Then the store is closed.
    public func stop(grace: Duration = .seconds(5)) async throws {
        pipeline.admin.streams.end()
        for sandbox in world.sandboxes { sandbox.journal.waits.end() }
        if let server = server.withLock({ $0.take() }) {
            let (world, outboundClient) = (world, outboundClient)
            await server.stop(grace: grace) {
                for sandbox in world.sandboxes {
                    sandbox.clock.release()
                    sandbox.journal.waits.end()
                }
                outboundClient.release.release()
            }
        }
        outboundClient.release.release()
        world.runDueWork(by: nil)
        for sandbox in world.sandboxes { sandbox.clock.release() }
        outboundClient.pipeline.withLock { $0 = nil }
        await outboundClient.shutdown()
        try store.close()
    }

    /// Leaves no file behind that nobody asked for: the process is about to end, whatever is still being done. What has been acknowledged is in
    /// the database.
    public func abandon() { store.abandon() }
}
