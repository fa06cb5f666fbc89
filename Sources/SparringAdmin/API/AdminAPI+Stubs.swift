import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Operations of the tag "Stubs": words for what tenants' configurations have in their member `stubs`.
extension AdminAPI {
    func listStubs(_ sandbox: Sandbox) -> Answer {
        var stubs: [JSON] = []
        for vendor in vendors.all {
            guard let tenant = sandbox.tenant(of: vendor.name) else { continue }
            stubs += tenant.stubs.operations.map { Self.json(of: $0, answering: $0.stub?.answer, "sandbox") }
            stubs += vendor.contract.operations.filter { $0.stub != nil }.map {
                Self.json(of: $0, answering: tenant.stubs.choices[$0.id] ?? $0.stub?.answer, "contract")
            }
        }
        return Answer("stubs", ["stubs": .array(stubs)])
    }

    func addStub(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let form = try StubForm(call.body)
        guard let contract = try form.contract(among: vendors.all.map(\.contract)) ?? (issuer ?? vendors.all.first)?.contract,
            let tenant = sandbox.tenant(of: contract.vendor)
        else { throw ConfigurationError(["vendor"], "the sandbox has no vendor that the call could belong to") }
        let words: Cause = "a stub was added: \(call.body["call"]?.string ?? "")"
        let name = Mutex("")
        try await world.replace(tenant, in: sandbox, cause: words, asked: call.asked, alongside: call.alongside) { configuration in
            let chosen = form.name(in: contract, beside: configuration["stubs"]?.object ?? [:])
            name.withLock { $0 = chosen }
            return configuration.merging(["stubs": .object([chosen: .null])]).merging(["stubs": .object([chosen: form.configured])])
        }
        let added = name.withLock(\.self)
        guard let operation = tenant.stubs.operations.first(where: { $0.id == added }) else { throw unknownStub(call, sandbox, added) }
        return Answer("stub-added", Self.json(of: operation, answering: operation.stub?.answer, "sandbox"))
    }

    func answerStub(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let name = call.path("stub")
        let answer = call.body["answer"]?.string ?? ""
        guard let (operation, tenant) = contractStub(name, in: sandbox) else {
            if let own = ownStub(name, in: sandbox) {
                throw AdminProblem(
                    "configuration-invalid",
                    "\(own.operation.qualifiedName) is a stub of the sandbox, with one answer: add it once more to change it")
            }
            throw unknownStub(call, sandbox, name)
        }
        try await world.replace(
            tenant, in: sandbox, cause: "the stub \(operation.qualifiedName) answers \(answer)", asked: call.asked,
            alongside: call.alongside
        ) { $0.merging(["stubs": .object([operation.id: ["answer": .string(answer)]])]) }
        return Answer("stub", Self.json(of: operation, answering: answer, "contract"))
    }

    /// A stub of the contract stays, and gives the contract's answer again.
    func removeStub(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let name = call.path("stub")
        guard let (operation, tenant) = ownStub(name, in: sandbox) ?? chosenStub(name, in: sandbox) else {
            if let (operation, _) = contractStub(name, in: sandbox) {
                throw AdminProblem(
                    "stub-unknown", "\(operation.qualifiedName) gives the contract's answer already: there is nothing to remove")
            }
            throw unknownStub(call, sandbox, name)
        }
        try await world.replace(
            tenant, in: sandbox, cause: "the stub \(operation.qualifiedName) was removed", asked: call.asked, alongside: call.alongside
        ) { configuration in
            let isLast = (configuration["stubs"]?.object?.count ?? 0) < 2
            return configuration.merging(["stubs": isLast ? .null : .object([operation.id: .null])])
        }
        return Answer("stub-removed")
    }

    // MARK: Finding them

    private typealias Found = (operation: ContractOperation, tenant: Tenant)

    /// Calls that no contract is like belong to the brand's own server.
    private var issuer: VendorEntry? { vendors.all.first { $0.vendor is any CredentialIssuer } }

    private func ownStub(_ name: String, in sandbox: Sandbox) -> Found? { find(name, in: sandbox) { tenant, _ in tenant.stubs.operations } }

    private func contractStub(_ name: String, in sandbox: Sandbox) -> Found? {
        find(name, in: sandbox) { _, contract in contract.operations.filter { $0.stub != nil } }
    }

    private func chosenStub(_ name: String, in sandbox: Sandbox) -> Found? {
        find(name, in: sandbox) { tenant, contract in contract.operations.filter { tenant.stubs.choices[$0.id] != nil } }
    }

    /// - Parameter name: with its vendor or without.
    private func find(_ name: String, in sandbox: Sandbox, _ operations: (Tenant, Contract) -> [ContractOperation]) -> Found? {
        for vendor in vendors.all {
            guard let tenant = sandbox.tenant(of: vendor.name) else { continue }
            if let found = operations(tenant, vendor.contract).first(where: { $0.qualifiedName == name || $0.id == name }) {
                return (found, tenant)
            }
        }
        return nil
    }

    private func unknownStub(_ call: AdminCall, _ sandbox: Sandbox, _ name: String) -> AdminProblem {
        let all = sandbox.stubs + vendors.all.flatMap(\.contract.operations).filter { $0.stub != nil }
        // Two vendors may have stubs of one id, and a sandbox a stub of its own in place of a contract's.
        let known = Set(all.map { name.contains(".") ? $0.qualifiedName : $0.id }).sorted()
        return AdminProblem(
            "stub-unknown", "the sandbox \(sandbox.id.quoted) has no stub \(name.quoted)", unknown: name, known: known)
    }

    private static func json(of stub: ContractOperation, answering answer: String?, _ origin: String) -> JSON {
        let declared = stub.answers.first { $0.name == answer }
        return .members([
            "operation": .string(stub.qualifiedName), "call": stub.isMessage ? nil : .string("\(stub.method) \(stub.pathTemplate)"),
            "channel": stub.channel.map { .string($0) }, "from": .string(origin), "answer": answer.map { .string($0) },
            "status": declared?.status.map { .integer(Int64($0)) },
            "answers": .array(stub.answers.map { .string($0.name) }),
        ])
    }
}
