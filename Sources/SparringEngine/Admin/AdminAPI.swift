import GRDB
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringVerdict

/// The control plane. It has the shape of a vendor, but belongs to no sandbox and is not journalled as calls: what it changes is.
final class AdminAPI: Sendable {
    static let name = "admin"
    static let prefix = "/__admin"

    /// What is fixed for the process.
    struct Facts: Sendable {
        var version: String
        /// PEM of the local certificate authority; nil where TLS is off.
        var certificateAuthority: String?
        /// Needed with every call when the server is bound off loopback.
        var token: String?
    }

    let contract: Contract
    let world: World
    let store: Store
    let scenarios: Scenarios
    let behaviours: Behaviours
    let unplaced: Unplaced
    let facts: Facts
    let streams = EventStreams()

    init(contract: Contract, world: World, store: Store, scenarios: Scenarios, behaviours: Behaviours, unplaced: Unplaced, facts: Facts)
        throws
    {
        try contract.requireExactly(AdminOperation.allCases.map(\.rawValue))
        self.contract = contract
        self.world = world
        self.store = store
        self.scenarios = scenarios
        self.behaviours = behaviours
        self.unplaced = unplaced
        self.facts = facts
    }

    func perform(_ call: AdminCall) async throws -> Answer {
        if call.operation.vendor != Self.name { return try await performVendors(call) }
        guard let operation = AdminOperation(rawValue: call.operation.id) else { throw ToolError("operations were checked at start") }
        switch operation {
        case .readHealth: return health(call)
        case .readVersion: return Answer("version", ["name": "sparring", "version": .string(facts.version)])
        case .readMetrics: return try await metrics(call)
        case .readCertificateAuthority: return try certificateAuthority()
        case .listUnplaced: return try await listUnplaced(call)
        case .clearUnplaced: return try await clearUnplaced()
        case .listScenarios: return listScenarios()
        case .readScenario: return try readScenario(call)
        case .createSandbox: return try await createSandbox(call)
        case .listSandboxes: return Answer("sandboxes", ["sandboxes": .array(world.sandboxes.map { json(of: $0, call) })])
        case .readSandbox: return Answer("sandbox", json(of: try sandbox(call), call))
        case .deleteSandbox: return try await deleteSandbox(call)
        case .resetSandbox: return try await resetSandbox(call)
        case .readTenant: return Answer("tenant", try json(ofTenantIn: call))
        case .changeTenant: return try await changeTenant(call)
        case .rotateKeys: return try await rotateKeys(call)
        case .readClock: return Answer("clock", try sandbox(call).clock.json)
        case .setClock: return try await setClock(call)
        case .advanceClock: return try await advanceClock(call)
        case .waitForClock: return try await waitForClock(call)
        case .armFault: return try await armFault(call)
        case .listFaults: return Answer("faults", try faults(call))
        case .clearFaults: return try await clearFaults(call)
        case .readFault: return Answer("fault", try fault(call).json(at: sandbox(call).clock.now))
        case .removeFault: return try await removeFault(call)
        case .readJournal: return try await readJournal(call)
        case .clearJournal: return try await clearJournal(call)
        case .waitForJournal: return try await waitForJournal(call)
        case .readJournalEntry: return try await readEntry(call)
        case .mintCredential: return try await mintCredential(call)
        case .notifyDevice: return try await notifyDevice(call)
        case .renewDeviceToken: return try await renewDeviceToken(call)
        case .listDevices: return try await listDevices(call)
        case .listNotifications: return try await listNotifications(call)
        case .waitForNotifications: return try await waitForNotifications(call)
        case .streamNotifications: return try streamNotifications(call)
        case .readNotification: return try await readNotification(call)
        case .readSimulatorFile: return try await readSimulatorFile(call)
        case .listConversations: return try await listConversations(call)
        case .listConsumers: return try await listConsumers(call)
        case .listOperations: return listOperations()
        case .act: throw ToolError("the operation that is meant was found before")
        case .listRules: return listRules()
        case .mark: return try await mark(call)
        case .judge: return try await judge(call)
        }
    }

    func sandbox(_ call: AdminCall) throws -> Sandbox {
        let id = call.path("sandbox")
        guard let sandbox = world.sandbox(id) else {
            throw AdminProblem(
                name: "sandbox-unknown", detail: "there is no sandbox \(id.quoted)",
                members: AdminProblem.nearest(Nearest.words(to: id, in: world.sandboxes.map(\.id))))
        }
        return sandbox
    }
}
