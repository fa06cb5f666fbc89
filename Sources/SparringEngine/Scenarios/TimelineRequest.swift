import HTTPTypes
import SparringContract
import SparringJSON

/// A step of a timeline as the call of the admin API that it stands for.
struct TimelineRequest {
    let operation: AdminOperation
    let declared: ContractOperation
    let parts: RequestParts
    let body: JSON

    /// What a step may do: what changes one sandbox. Not what ends it or moves its clock along, which the timeline itself follows, nor what
    /// answers with something that nobody would see.
    static let operations: [AdminOperation] = [
        .changeTenant, .rotateKeys, .setClock, .armFault, .removeFault, .clearFaults, .sendPush, .actAsAgent, .signOutConsumer,
    ]

    /// - Parameter place: of the step, for errors.
    init(_ step: Scenario.Step, of contract: Contract, at place: JSONPointer) throws(ConfigurationError) {
        let names = Self.operations.map(\.rawValue)
        guard let operation = AdminOperation(rawValue: step.operation), Self.operations.contains(operation),
            let declared = contract.operation(step.operation)
        else {
            let nearest = Nearest.words(to: step.operation, in: names).first.map { " (did you mean '\($0)'?)" } ?? ""
            throw ConfigurationError(
                place.appending("do"),
                "'\(step.operation)' is nothing that a timeline does\(nearest); it does \(names.joined(separator: ", "))")
        }
        self.operation = operation
        self.declared = declared
        var path = ["sandbox": "default"]
        var members = step.arguments
        for parameter in declared.parameters where parameter.location == .path && parameter.name != "sandbox" {
            guard let value = members.removeValue(forKey: parameter.name) else {
                throw ConfigurationError(place, "\(step.operation) needs '\(parameter.name)' in its 'with'")
            }
            path[parameter.name] = value.string ?? value.text
        }
        if declared.requestBody == nil, let name = members.keys.first {
            let known = path.keys.filter { $0 != "sandbox" }
            let nearest = Nearest.words(to: name, in: known).first.map { " (did you mean '\($0)'?)" } ?? ""
            throw ConfigurationError(place.appending("with").appending(name), "\(step.operation) takes no '\(name)'\(nearest)")
        }
        body = .object(members)
        parts = RequestParts(
            method: declared.method, rawPath: declared.path(path), pathParameters: path, headers: [.contentType: "application/json"],
            body: declared.requestBody == nil ? [] : body.bytes)
        guard let violation = declared.check(parts).violations.first else { return }
        let pointer = violation.part == .body ? JSONPointer(violation.pointer)?.tokens ?? [] : [violation.pointer]
        throw ConfigurationError(
            JSONPointer(tokens: place.tokens + ["with"] + pointer), "\(step.operation), \(violation)")
    }

    /// The same of another sandbox than `default`.
    func parts(of sandbox: String) -> RequestParts {
        var parts = parts
        parts.pathParameters["sandbox"] = sandbox
        parts.rawPath = declared.path(parts.pathParameters)
        return parts
    }
}
