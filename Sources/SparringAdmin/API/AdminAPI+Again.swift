import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

extension AdminAPI {
    /// Does what an entry of a journal says was asked for (``AdminCall/asked``).
    ///
    /// - Parameter name: `admin.operationId`, or that of a vendor's.
    @discardableResult
    func perform(_ name: String, _ arguments: JSON.Object, in sandbox: Sandbox, _ addresses: Addresses) async throws -> Answer {
        let words = name.split(separator: ".", maxSplits: 1).map(String.init)
        let (vendor, id) = (words.first ?? "", words.last ?? "")
        guard let operation = vendor == Self.name ? contract.operation(id) : vendors[vendor]?.adminOperation(id)?.0 else {
            throw AdminProblem("operation-unknown", "there is no operation \(name.quoted)", unknown: name, known: [])
        }
        let request = try OperationRequest(operation, arguments, at: .root)
        return try await perform(
            AdminCall(operation: operation, request: request.parts(of: sandbox.id), body: request.body, addresses: addresses))
    }
}
