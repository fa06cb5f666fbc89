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

    /// One call of the admin API.
    struct Call: Sendable {
        var operation: ContractOperation
        var request: RequestParts
        var body: JSON
        var addresses: Addresses
        var metrics: Metrics
        /// What is written together with what the call changes.
        var alongside: (@Sendable (Database) throws -> Void)?
        /// Has something called once when the caller leaves before its answer.
        var onHangUp: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

        func path(_ name: String) -> String { request.pathParameters[name] ?? "" }
        func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

        /// Numbers of entries and notifications, and how many are wanted: the contract allows no more.
        static let numbers = 0...9_007_199_254_740_991

        /// The path's number; 0, which nothing has, where that is none.
        func number(path name: String) -> Int { path(name).integer(in: Self.numbers) ?? 0 }
        /// Nil where there is no such parameter.
        func number(query name: String) -> Int? { query(name)?.integer(in: Self.numbers) }
    }

    /// A problem (RFC 9457) that a call came to; `name` is an unhappy answer of its operation.
    struct Problem: Error {
        var name: String
        var detail: String
        var members: JSON.Object = [:]
        var headers: HTTPFields = [:]
    }

    /// The vendor that a call's `vendor` names, or the first that the sandbox has a tenant of, with that tenant.
    ///
    /// - Parameters:
    ///   - all: the vendors that do what is asked for.
    ///   - deed: what that is, as in "sends pushes".
    func vendor<Able>(
        meantBy call: Call, among all: [Able], in sandbox: Sandbox, that deed: String, name: (Able) -> String
    ) throws -> (Able, Tenant) {
        let wanted = call.body["vendor"]?.string
        for able in all where wanted == nil || wanted == name(able) {
            if let tenant = sandbox.tenant(of: name(able)) { return (able, tenant) }
        }
        throw Problem(
            name: "tenant-unknown", detail: "no vendor \(wanted.map { $0.quoted + " " } ?? "")of sandbox '\(sandbox.id)' \(deed)",
            members: Self.nearest(wanted.map { Nearest.words(to: $0, in: all.map(name)) } ?? []))
    }

    func perform(_ call: Call) async throws -> Answer {
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
        case .sendPush: return try await sendPush(call)
        case .listDevices: return try await listDevices(call)
        case .listNotifications: return try await listNotifications(call)
        case .waitForNotifications: return try await waitForNotifications(call)
        case .streamNotifications: return try streamNotifications(call)
        case .readNotification: return try await readNotification(call)
        case .readSimulatorFile: return try await readSimulatorFile(call)
        case .actAsAgent: return try await actAsAgent(call)
        case .listConversations: return try await listConversations(call)
        case .readConversation: return try await readConversation(call)
        case .listConsumers: return try await listConsumers(call)
        case .signOutConsumer: return try await signOutConsumer(call)
        case .listRules: return listRules()
        case .mark: return try await mark(call)
        case .judge: return try await judge(call)
        }
    }

    func sandbox(_ call: Call) throws -> Sandbox {
        let id = call.path("sandbox")
        guard let sandbox = world.sandbox(id) else {
            throw Problem(
                name: "sandbox-unknown", detail: "there is no sandbox \(id.quoted)",
                members: Self.nearest(Nearest.words(to: id, in: world.sandboxes.map(\.id))))
        }
        return sandbox
    }

    static func nearest(_ words: [String]) -> JSON.Object {
        words.isEmpty ? [:] : ["nearest": .array(words.map { .string($0) })]
    }

    static func violation(_ error: ConfigurationError) -> JSON.Object {
        ["violations": [["pointer": .string(error.pointer.description), "message": .string(error.message)]]]
    }
}
