import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringLocks
import SparringJournal
import SparringSandbox
import SparringVerdict

/// The control plane. It has the shape of a vendor, but belongs to no sandbox and is not journalled as calls: what it changes is.
final class AdminAPI: OperationHost, Sendable {
    static let name = Timeline.owner

    var name: String { Self.name }
    let contract: Contract
    let world: World
    let store: Store
    let vendors: Vendors
    let faultReader: FaultReader
    let scenarios: Scenarios
    let behaviours: Behaviours
    let unplaced: Unplaced
    let metrics: Metrics
    let options: ServerOptions
    /// The live page; nil: it is off.
    let pageFiles: PageFiles?
    let streams = EventStreams()
    let drain = Drain()
    /// Sandboxes that the server has made itself, which end with it.
    private let own = Mutex<Set<String>>(["default"])
    /// The tags of operations and messages, by their names.
    let tags: [String: String]

    /// - Parameters:
    ///   - trust: which of the scenarios that have names are not read before somebody asks for them.
    ///   - behaviours: what is expected of clients.
    /// - Throws: ``ContractError`` where contract and operations differ, for a vendor whose operations would lie at one path with others, and for a
    ///   scenario that cannot be played.
    init(
        _ parts: EngineParts, contract: Contract, _ trust: Scenarios.Trust, behaviours: Behaviours, _ options: ServerOptions
    ) throws {
        try contract.requireExactly(AdminOperation.allCases.map(\.rawValue))
        try Self.requireOwnPlace(for: parts.vendors, in: contract)
        self.contract = contract
        (world, store, vendors, faultReader) = (parts.world, parts.store, parts.vendors, parts.faultReader)
        (unplaced, metrics) = (parts.unplaced, parts.metrics)
        scenarios = try Scenarios(
            folder: options.scenarios,
            ScenarioCheck(
                world: parts.world, vendors: parts.vendors, faultReader: parts.faultReader, contract: contract,
                behaviours: behaviours), trust)
        self.behaviours = behaviours
        var options = options
        options.checked = nil  // the trees of all files, which are large and have been read
        self.options = options
        parts.world.beforeEnd(options.willForget)
        pageFiles = try options.page.map { try PageFiles($0) }
        let contracts = [contract] + parts.vendors.all.flatMap { [$0.contract, $0.contract.admin].compactMap(\.self) }
        let named =
            contracts.flatMap(\.operations).map { ($0.qualifiedName, $0.tag) }
            + contracts.flatMap(\.channels).flatMap(\.sent).map { ($0.qualifiedName, $0.tag) }
        tags = Dictionary(named) { first, _ in first }
    }

    /// - Throws: ``ContractError`` where a vendor is called as something that each sandbox has: both would lie at one path.
    private static func requireOwnPlace(for vendors: Vendors, in admin: Contract) throws(ContractError) {
        let prefix = "\(ContractOperation.adminPrefix)/sandboxes/{sandbox}/"
        let paths = admin.operations.map(\.pathTemplate).filter { $0.hasPrefix(prefix) }
        let taken = Set(paths.compactMap { path -> String? in path.dropFirst(prefix.count).split(separator: "/").first.map(String.init) })
        for vendor in vendors.all where taken.contains(vendor.name) {
            throw ContractError(
                file: vendor.contract.file,
                message: "no vendor can be called '\(vendor.name)': the admin API has \(prefix)\(vendor.name)")
        }
    }

    func perform(_ call: AdminCall) async throws -> Answer {
        if call.operation.vendor != Self.name { return try await performVendors(call, sandbox(call)) }
        guard let operation = AdminOperation(rawValue: call.operation.id) else { throw ToolError("operations were checked at start") }
        switch operation {
        case .readHealth: return try await health(call)
        case .readVersion: return version()
        case .drain: return try beginDrain(call)
        case .cancelDrain: return cancelDrain()
        case .readMetrics: return try await readMetrics()
        case .readCertificateAuthority: return try certificateAuthority()
        case .readCertificateProfile: return try certificateProfile()
        case .readSchema: return try schema(call)
        case .listUnplaced: return try await listUnplaced(call)
        case .clearUnplaced: return try await clearUnplaced()
        case .listScenarios: return listScenarios()
        case .readScenario: return try readScenario(call)
        case .createSandbox: return try await createSandbox(call)
        case .listSandboxes: return Answer("sandboxes", ["sandboxes": .array(world.sandboxes.map { json(of: $0, call) })])
        case .readSandbox: return try readSandbox(call, sandbox(call))
        case .deleteSandbox: return try await deleteSandbox(sandbox(call))
        case .resetSandbox: return try await resetSandbox(call, sandbox(call))
        case .playScenario: return try await playScenario(call, sandbox(call))
        case .stopScenario: return try await stopScenario(call, sandbox(call))
        case .readTenant: return Answer("tenant", try json(ofTenantIn: call))
        case .changeTenant: return try await changeTenant(call)
        case .rotateKeys: return try await rotateKeys(call)
        case .readClock: return Answer("clock", try sandbox(call).clock.json)
        case .setClock: return try await setClock(call, sandbox(call))
        case .advanceClock: return try await advanceClock(call, sandbox(call))
        case .waitForClock: return try await waitForClock(call, sandbox(call))
        case .armFault: return try await armFault(call, sandbox(call))
        case .listFaults: return try listFaults(sandbox(call))
        case .clearFaults: return try await clearFaults(call, sandbox(call))
        case .readFault: return try readFault(call, sandbox(call))
        case .removeFault: return try await removeFault(call, sandbox(call))
        case .listStubs: return listStubs(try sandbox(call))
        case .addStub: return try await addStub(call, sandbox(call))
        case .answerStub: return try await answerStub(call, sandbox(call))
        case .removeStub: return try await removeStub(call, sandbox(call))
        case .readJournal: return try await readJournal(call, sandbox(call))
        case .clearJournal: return try await clearJournal(sandbox(call))
        case .waitForJournal: return try await waitForJournal(call, sandbox(call))
        case .readJournalEntry: return Answer("entry", try await entry(call, sandbox(call)))
        case .mintCredential: return try await mintCredential(call, sandbox(call))
        case .notifyDevice: return try await notifyDevice(call)
        case .renewDeviceToken: return try await renewDeviceToken(call)
        case .listDevices: return try await listDevices(sandbox(call))
        case .listNotifications: return try await listNotifications(call, sandbox(call))
        case .waitForNotifications: return try await waitForNotifications(call, sandbox(call))
        case .streamNotifications: return try streamNotifications(call, sandbox(call))
        case .readNotification: return try await readNotification(call)
        case .readSimulatorFile: return try await readSimulatorFile(call)
        case .listConversations: return try await listConversations(call, sandbox(call))
        case .listConsumers: return try await listConsumers(sandbox(call))
        case .listOperations: return listOperations()
        case .act: throw ToolError("the operation was found before")
        case .listRules: return listRules()
        case .mark: return try await mark(call, sandbox(call))
        case .openPage, .openSandboxPage: return try pageFile(PageFiles.index)
        case .readPageFile: return try pageFile(call.path("file"))
        case .streamJournal: return try await streamJournal(call, sandbox(call))
        case .forkSandbox: return try await forkSandbox(call, sandbox(call))
        case .readPast: return try await readPast(call, sandbox(call))
        case .resendEntry: return try await resendEntry(call, sandbox(call))
        case .listSockets: return try listSockets(sandbox(call))
        case .endSocket: return try await endSocket(call, sandbox(call))
        case .listEffects: return try listEffects(call)
        case .planFaults: return try await planFaults(call, sandbox(call))
        case .readOperation: return try readOperation(call)
        case .readCommand: return try readCommand(call, sandbox(call))
        case .exportEntry: return try await exportEntry(call, sandbox(call))
        case .judge: return try await judge(call)
        }
    }

    func end() { streams.end() }

    /// The server makes it itself, at each start.
    func owns(_ sandbox: String) { own.withLock { _ = $0.insert(sandbox) } }
    func isOwn(_ sandbox: String) -> Bool { own.withLock { $0.contains(sandbox) } }

    func sandbox(_ call: AdminCall) throws -> Sandbox { try sandbox(call.path("sandbox")) }

    func sandbox(_ id: String) throws -> Sandbox {
        guard let sandbox = world.sandbox(id) else {
            if let ended = world.ended(id) {
                throw AdminProblem("sandbox-ended", ended.words, members: ["ended": .string(ended.ended.description)])
            }
            throw AdminProblem("sandbox-unknown", "there is no sandbox \(id.quoted)", unknown: id, known: world.sandboxes.map(\.id))
        }
        sandbox.isUsed()
        return sandbox
    }
}
