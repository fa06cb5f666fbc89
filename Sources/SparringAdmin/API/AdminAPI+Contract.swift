import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// The parts of the contracts for somebody who looks at an entry.
extension AdminAPI {
    func readOperation(_ call: AdminCall) throws -> Answer {
        let name = call.path("operation")
        let contracts = [contract] + vendors.all.flatMap { [$0.contract, $0.contract.admin].compactMap(\.self) }
        let stubs = world.stubbingTenants.lazy.flatMap(\.stubs.operations)
        if let operation = contracts.lazy.flatMap(\.operations).first(where: { $0.qualifiedName == name })
            ?? stubs.first(where: { $0.qualifiedName == name })
        {
            return Answer("operation", operation.json.with(options.live[name]))
        }
        let messages = contracts.flatMap(\.channels).flatMap(\.sent)
        if let message = messages.first(where: { $0.qualifiedName == name }) {
            return Answer("operation", message.json.with(options.live[name]))
        }
        let known = contracts.flatMap(\.operations).map(\.qualifiedName) + messages.map(\.qualifiedName)
        throw AdminProblem("operation-unknown", "no contract has the operation \(name.quoted)", unknown: name, known: known)
    }
}

extension JSON {
    fileprivate func with(_ live: LiveFidelity.Sight?) -> JSON {
        var json = self
        if let live { json["live"] = live.json }
        return json
    }
}

extension ContractOperation {
    fileprivate var json: JSON {
        .members([
            "operation": .string(qualifiedName), "summary": summary.map { .string($0) }, "tag": .string(tag),
            "method": isMessage ? nil : .string(method.rawValue), "path": isMessage ? nil : .string(pathTemplate),
            "channel": channel.map { .string($0) }, "fidelity": .string(fidelity.rawValue), "source": .string(source),
            "stub": stub == nil ? nil : true, "file": .string(file), "line": .integer(Int64(line)),
            "answers": .array(
                answers.map { answer in
                    .members([
                        "name": .string(answer.name), "status": answer.status.map { .integer(Int64($0)) },
                        "outcome": .string(answer.outcome.rawValue), "example": answer.example,
                    ])
                }),
        ])
    }
}

extension ContractMessage {
    fileprivate var json: JSON {
        .members([
            "operation": .string(qualifiedName), "summary": summary.map { .string($0) }, "tag": .string(tag), "channel": .string(channel),
            "fidelity": .string(fidelity.rawValue), "source": .string(source), "answers": [],
        ])
    }
}
