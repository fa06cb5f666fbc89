import HTTPTypes
import SparringAdmin
import SparringEngine
public import SparringJSON
import SparringSandbox
public import SparringVerdict

/// A test's own world: what its client is configured with, and everything that the test does to it.
public struct SparringSandbox: Sendable {
    public let server: SparringServer
    public let name: String
    /// The settings that a client is configured with, by vendor: `tenants["liveperson"]?["accountId"]`.
    public let tenants: JSON
    public let seed: Int64

    init(_ made: JSON, of server: SparringServer) {
        self.server = server
        name = made["id"]?.string ?? ""
        tenants = made["tenants"] ?? [:]
        seed = made["seed"]?.integer ?? 0
    }

    /// The base URL that clients use.
    public var url: String { server.url }

    /// A member of a tenant's configuration, such as `tenant("liveperson", "accountId")`.
    ///
    /// - Throws: ``SparringProblem`` where there is none.
    public func tenant(_ vendor: String, _ member: String) throws -> String {
        guard let value = tenants[vendor]?[member]?.string else {
            throw SparringProblem(status: 0, text: "\(vendor) publishes no '\(member)': \(tenants[vendor]?.text ?? "no such vendor")")
        }
        return value
    }

    @discardableResult
    private func admin(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        try await server.admin(method, "sandboxes/\(name)/\(path)", body)
    }

    /// Arms a fault: `try await sandbox.arm("liveperson.Login.* token-expired times=2")`.
    ///
    /// - Returns: its number.
    @discardableResult
    public func arm(_ fault: String) async throws -> Int {
        try await admin(.post, "faults", ["fault": .string(fault)])["number"]?.integer(in: 1...Int.max) ?? 0
    }

    /// Takes all faults back.
    public func disarm() async throws { try await admin(.delete, "faults") }

    // MARK: The clock

    /// Stops the sandbox's clock.
    public func freeze() async throws { try await admin(.put, "clock", ["mode": "frozen"]) }

    /// Moves it ahead, and returns when all that fell due is done: `try await sandbox.advance("31s")`.
    public func advance(_ duration: String) async throws { try await admin(.post, "clock/advance", ["by": .string(duration)]) }

    // MARK: The other side

    /// An agent says something to a consumer.
    public func agentSays(_ text: String, to consumer: String) async throws {
        try await act("say", with: ["consumer": .string(consumer), "text": .string(text)])
    }

    /// Calls a vendor's admin operation: `try await sandbox.act("signOut", with: ["consumer": "alice", "reason": "revoked"])`.
    ///
    /// - Parameter vendor: needed where several vendors have the operation and know whom it is about.
    /// - Returns: what the operation answers.
    /// - Throws: ``SparringProblem``, which names the choices where several vendors could be meant.
    @discardableResult
    public func act(_ operation: String, of vendor: String? = nil, with members: JSON = [:]) async throws -> JSON {
        try await admin(
            .post, "acts",
            .members(["operation": .string(operation), "vendor": vendor.map { .string($0) }, "with": members]))
    }

    /// Mints a credential of the brand's identity provider: `mint("alice")`, `mint("alice", ["form": "jwt", "defect": "expired"])`.
    public func mint(_ subject: String, _ options: JSON = ["form": "jwt"]) async throws -> String {
        var form = options
        form["subject"] = .string(subject)
        return try await admin(.post, "credentials", form)["credential"]?.string ?? ""
    }

    /// Tells what is not seen on the wire, for rules that use marks.
    public func mark(_ name: String, lane: String? = nil, _ members: JSON = [:]) async throws {
        var told = members
        told["mark"] = .string(name)
        if let lane { told["lane"] = .string(lane) }
        try await admin(.post, "journal/marks", told)
    }

    // MARK: What happened

    /// The entries of an operation, such as `liveperson.registerPush`; all of them when missing. Oldest first.
    public func journal(_ operation: String? = nil) async throws -> [JSON] {
        try await admin(.get, "journal?limit=10000" + (operation.map { "&operation=\($0)" } ?? ""))["entries"]?.array ?? []
    }

    /// Judges the client by what is in the journal now.
    ///
    /// - Parameters:
    ///   - rules: names; all when missing. Those that the scenario expects are marked as such.
    ///   - basis: the clock that delays are measured on.
    ///   - scale: what a second of a schedule is in this run.
    ///   - policies: what the vendor leaves to the app, such as `["retries": 3]`.
    ///   - platform: the client's, such as `ios`; nil: the one that its calls show.
    ///   - settling: waits as long as this until nothing is left open; by the sandbox's clock, advances it instead.
    public func verdict(
        _ rules: String..., basis: TimeBasis = .wall, scale: Double = 1, policies: JSON.Object = [:], platform: String? = nil,
        settling: Duration = .zero
    ) async throws -> VerdictReport {
        guard let sandbox = server.engine.world.sandbox(name) else { throw SparringProblem(status: 404, text: "the sandbox is gone") }
        var request = VerdictRequest()
        request.rules = rules
        (request.policies, request.platform) = (policies, platform)
        request.timing = Timing(basis: basis, scale: scale)
        return try await server.server.judge(sandbox, request, settlingFor: settling)
    }

    /// Takes the sandbox, and all that belongs to it, away.
    public func delete() async { _ = try? await server.admin(.delete, "sandboxes/\(name)") }
}

extension VerdictReport {
    /// No rule was broken, and what the scenario asks for was exercised.
    public var isGood: Bool { result == .pass }

    /// The result of a rule; nil where it was not judged.
    public func result(of rule: String) -> Verdict.Result? { verdicts.first { $0.rule.name == rule }?.result }
}
