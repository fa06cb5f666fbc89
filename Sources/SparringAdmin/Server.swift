public import SparringContract
public import SparringEngine
package import SparringJSON
import SparringJournal
public import SparringSandbox
package import SparringVerdict

/// The whole of it: an engine that is controlled over its admin API, plays scenarios and judges clients.
public final class Server: Sendable {
    public typealias Options = ServerOptions

    public let engine: Engine
    public var world: World { engine.world }
    public var scenarios: Scenarios { admin.scenarios }
    /// Whether browsers get the live page.
    public var showsPage: Bool { admin.pageFiles != nil }
    package var behaviours: Behaviours { admin.behaviours }
    let admin: AdminAPI
    /// The member of a vendor's configuration that holds the tenant's id, by vendor.
    package var tenantKeys: [String: String] { Dictionary(uniqueKeysWithValues: admin.vendors.all.map { ($0.name, $0.tenantKey) }) }

    /// Reads the contracts, opens the database and takes up what an earlier process left in it.
    ///
    /// - Parameter vendors: makes the vendors, given their contracts by name.
    /// - Throws: ``ContractError`` where contracts and vendors do not fit, and for a scenario that cannot be played; ``ToolError`` and GRDB's
    ///   errors for the database.
    public convenience init(_ options: Options, vendors: ([String: Contract]) throws -> [any Vendor]) throws {
        let folder = try ContractFolder(
            path: options.contracts, overlays: options.overlays, vendors: options.vendors?.union([AdminAPI.name]), checked: options.checked)
        try self.init(options, contracts: folder.contracts, areChecked: folder.isChecked, vendors: vendors)
    }

    /// The same with contracts and rules that have been read: for a process that starts many servers.
    ///
    /// - Parameters:
    ///   - areChecked: the contracts are those of files that need not be checked again.
    ///   - read: nil: they are read from the folder.
    ///   - scenariosAreChecked: another server of this process has read all of them, so that they are read when they are asked for.
    package init(
        _ options: Options, contracts: [Contract], areChecked: Bool = false, behaviours read: Behaviours? = nil,
        scenariosAreChecked: Bool = false, vendors: ([String: Contract]) throws -> [any Vendor]
    ) throws {
        guard let contract = contracts.first(where: { $0.vendor == AdminAPI.name }) else {
            throw ToolError("\(options.contracts) has no \(AdminAPI.name).openapi.yaml", .unreadable)
        }
        let parts = try EngineParts(options.engine, contracts: contracts, vendors: vendors, hostName: AdminAPI.name)
        do {
            let behaviours =
                try read
                ?? Behaviours(
                    folder: options.contracts, contracts: parts.vendors.all.map(\.contract), effects: FaultVocabulary.words,
                    checked: options.checked, contractsAreChecked: areChecked)
            let trust: Scenarios.Trust =
                if scenariosAreChecked || options.vendors != nil {
                    .all
                } else if let checked = options.checked, areChecked, behaviours.isChecked {
                    .checked(checked)
                } else { .none }
            admin = try AdminAPI(parts, contract: contract, trust, behaviours: behaviours, options)
        } catch {
            try? parts.store.close()
            throw error
        }
        engine = Engine(parts, host: admin)
    }

    /// Brings the world into the state that a configuration file declares; all of it is checked before any of it is done.
    ///
    /// - Returns: one line for each sandbox, saying what was done.
    /// - Throws: ``ContractError`` with file and line, or ``ContractErrors``; nothing has been changed then.
    public func apply(_ configuration: ConfigurationFile) async throws -> [String] {
        for sandbox in configuration.sandboxes { if let name = sandbox.request.name { admin.owns(name) } }
        return try await configuration.apply(to: world, scenarios, behaviours)
    }

    /// Takes no new sandbox, and waits until those that there are have ended, for an hour at most.
    ///
    /// - Returns: what is waited for, in words.
    package func drain() -> String {
        let drain = admin.beginDrain(for: nil)
        return "no new sandboxes are taken; the server stops once those that there are have ended, at \(drain.deadline) at the latest"
    }

    /// Calls `body` once a drain has come to its end: the server should stop.
    package func onDrained(_ body: @escaping @Sendable () -> Void) { admin.drain.onEnd(body) }

    /// Makes a sandbox.
    ///
    /// - Parameter scenario: what it is where the request says nothing else.
    /// - Throws: ``World/ChangeError``; nothing has been changed then.
    public func create(_ request: World.SandboxRequest, from scenario: Scenario? = nil) async throws -> Sandbox {
        try await world.create(request, from: scenario?.template)
    }

    /// Judges what happened in a sandbox.
    ///
    /// - Parameter limit: how long to wait, by the machine's time, until nothing is left open. By the sandbox's clock it is advanced instead.
    /// - Throws: ``ConfigurationError`` for a rule that is not known.
    package func judge(_ sandbox: Sandbox, _ request: VerdictRequest, settlingFor limit: Duration = .zero) async throws -> VerdictReport {
        try await sandbox.judge(request, behaviours, settlingFor: limit)
    }

    /// Judges what happened in a sandbox as a call of the admin API does.
    ///
    /// - Parameters:
    ///   - sandbox: its id.
    ///   - form: the body of such a call.
    /// - Throws: ``AdminRefusal`` in the admin API's words.
    package func judge(_ sandbox: String, _ form: JSON) async throws(AdminRefusal) -> VerdictReport {
        try await admin.report(on: sandbox, form)
    }
}
