import HTTPTypes
import GRDB
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Operations of the tag "Acts": vendors' admin operations by their name.
extension AdminAPI {
    func listOperations() -> Answer {
        let contracts = [contract] + vendors.all.compactMap(\.contract.admin)
        let operations = contracts.flatMap { contract in
            contract.operations.map { operation -> JSON in
                let parameters = operation.parameters.map { parameter -> JSON in
                    ["name": .string(parameter.name), "in": .string(parameter.location.rawValue), "required": .bool(parameter.required)]
                }
                return .members([
                    "operation": .string(operation.qualifiedName), "summary": operation.summary.map { .string($0) },
                    "method": .string(operation.method.rawValue), "path": .string(operation.pathTemplate),
                    "parameters": .array(parameters), "example": operation.requestBody?.mediaTypes.first?.examples.first?.value,
                    "members": operation.requestBody?.mediaTypes.first?.schema.map { .array($0.fields.map { Self.json(ofField: $0) }) },
                    "commands": operation.commands.isEmpty ? nil : .array(operation.commands.map { .string($0.usage) }),
                ])
            }
        }
        return Answer("operations", ["operations": .array(operations)])
    }

    private static func json(ofField field: SparringContract.Schema.Field) -> JSON {
        .members([
            "name": .string(field.name), "types": field.types.isEmpty ? nil : .array(field.types.map { .string($0) }),
            "enum": field.values.isEmpty ? nil : .array(field.values), "required": .bool(field.isRequired),
        ])
    }

    /// The call itself, or that of a vendor's operation that an `act` names.
    func meant(by call: AdminCall) async throws -> AdminCall {
        guard call.operation.vendor == Self.name, call.operation.id == AdminOperation.act.rawValue else { return call }
        let sandbox = try sandbox(call)
        let id = call.body["operation"]?.string ?? ""
        let arguments = call.body["with"]?.object ?? [:]
        let vendor = try await vendor(meantBy: call.body["vendor"]?.string, for: id, arguments, in: sandbox)
        guard let (operation, _) = vendor.adminOperation(id) else { throw ToolError("only vendors that have it are looked at") }
        let request = try OperationRequest(operation, arguments, at: ["with"])
        var meant = call
        (meant.operation, meant.request, meant.body) = (operation, request.parts(of: sandbox.id), request.body)
        return meant
    }

    /// The only vendor of the sandbox that has an operation; of several, the only one that knows whom the arguments name.
    private func vendor(
        meantBy wanted: String?, for id: String, _ arguments: JSON.Object, in sandbox: Sandbox
    ) async throws -> VendorEntry {
        let present = vendors.all.filter { sandbox.tenant(of: $0.name) != nil }
        if let wanted, !present.contains(where: { $0.name == wanted }) {
            throw AdminProblem(
                "tenant-unknown", "sandbox '\(sandbox.id)' has no tenant of a vendor \(wanted.quoted)", unknown: wanted,
                known: present.map(\.name))
        }
        let able = present.filter { (wanted == nil || $0.name == wanted) && $0.adminOperation(id) != nil }
        if able.isEmpty {
            let known = present.filter { wanted == nil || $0.name == wanted }.flatMap { $0.contract.admin?.operations.map(\.id) ?? [] }
            throw AdminProblem(
                "operation-unknown",
                (wanted.map { "\($0) has no admin operation " } ?? "no vendor of sandbox '\(sandbox.id)' has an admin operation ")
                    + id.quoted, unknown: id, known: Set(known).sorted())
        }
        if able.count == 1 { return able[0] }
        let acquainted = try await store.read { db in try able.filter { try $0.knows(arguments, in: sandbox, db) } }
        if acquainted.count == 1 { return acquainted[0] }
        let choices = (acquainted.isEmpty ? able : acquainted).map(\.name)
        var detail = "\(choices.joined(separator: ", ")) have the operation '\(id)': name the vendor"
        // Naming the vendor does not help if no vendor has the consumer.
        if acquainted.isEmpty, arguments["conversation"] == nil, let consumer = arguments["consumer"]?.string {
            let home = try await store.read { db in try present.first { try $0.knows(arguments, in: sandbox, db) } }
            detail =
                if let home {
                    "\(home.name), at which '\(consumer)' has signed in, has no admin operation '\(id)'"
                } else {
                    try await stranger(consumer, to: able, in: sandbox)
                }
        }
        throw AdminProblem("vendor-ambiguous", detail, members: ["choices": .array(choices.map { .string($0) })])
    }

    /// In words: nobody at any of the vendors is called so.
    private func stranger(_ consumer: String, to able: [VendorEntry], in sandbox: Sandbox) async throws -> String {
        let known = try await store.read { db in
            try able.flatMap { vendor in
                try sandbox.tenant(of: vendor.name).map { try vendor.vendor.consumers(of: $0, in: sandbox, db) } ?? []
            }.compactMap { $0["consumer"]?.string }
        }
        return "no consumer '\(consumer)' has signed in\(Nearest.hint(for: consumer, in: known))"
    }
}

extension VendorEntry {
    /// Whether the vendor's tenant has the conversation that the arguments of an act name, or else the consumer.
    fileprivate func knows(_ arguments: JSON.Object, in sandbox: Sandbox, _ db: Database) throws -> Bool {
        guard let tenant = sandbox.tenant(of: name) else { return false }
        if let conversation = arguments["conversation"] {
            return try vendor.conversations(of: tenant, consumer: nil, state: nil, db)?.contains { $0["id"] == conversation } ?? false
        }
        guard let consumer = arguments["consumer"] else { return false }
        return try vendor.consumers(of: tenant, in: sandbox, db).contains { $0["consumer"] == consumer || $0["id"] == consumer }
    }
}
