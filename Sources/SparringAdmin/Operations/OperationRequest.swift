import HTTPTypes
import SparringContract
import SparringJSON
import SparringSandbox

/// The call of an admin operation that is given by its arguments: its parameters, and the members of its body.
struct OperationRequest {
    let operation: ContractOperation
    let parts: RequestParts
    let body: JSON

    /// - Parameter place: of the arguments, for errors.
    /// - Throws: the first way in which the call would not be as its contract says.
    init(_ operation: ContractOperation, _ arguments: JSON.Object, at place: JSONPointer) throws(ConfigurationError) {
        self.operation = operation
        var path = ["sandbox": "default"]
        var query: [(name: String, value: String)] = []
        var members = arguments
        for parameter in operation.parameters where parameter.location != .header && parameter.name != "sandbox" {
            guard let value = members.removeValue(forKey: parameter.name) else {
                guard parameter.required else { continue }
                throw ConfigurationError(
                    JSONPointer(tokens: place.tokens.dropLast()), "\(operation.id) needs '\(parameter.name)' in its 'with'")
            }
            let text = value.string ?? value.text
            if parameter.location == .path { path[parameter.name] = text } else { query.append((parameter.name, text)) }
        }
        if operation.requestBody == nil, let name = members.keys.first {
            let known = operation.parameters.map(\.name).filter { $0 != "sandbox" }
            let nearest = Nearest.hint(for: name, in: known)
            throw ConfigurationError(place.appending(name), "\(operation.id) takes no '\(name)'\(nearest)")
        }
        body = .object(members)
        parts = RequestParts(
            method: operation.method, rawPath: operation.path(path), pathParameters: PathParameters(path), query: query,
            headers: [.contentType: "application/json"], body: operation.requestBody == nil ? [] : body.bytes)
        guard let violation = operation.check(parts).violations.first else { return }
        let pointer = violation.part == .body ? JSONPointer(violation.pointer)?.tokens ?? [] : [violation.pointer]
        throw ConfigurationError(JSONPointer(tokens: place.tokens + pointer), "\(operation.id), \(violation)")
    }

    /// The same call for another sandbox than `default`.
    func parts(of sandbox: String) -> RequestParts {
        var parts = parts
        parts.pathParameters["sandbox"] = sandbox
        parts.rawPath = operation.path(parts.pathParameters.byName)
        return parts
    }
}
