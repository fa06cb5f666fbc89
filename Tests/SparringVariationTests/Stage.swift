import Crypto
import HTTPTypes
import SparringContract
import SparringJSON
import SparringVariation
import Support

/// A body with what the contract says of it, as a vendor may send it.
struct Sample: Sendable, CustomStringConvertible {
    var point: String
    var name: String
    var body: JSON
    var schema: Schema
    /// In what the body is not as the contract says.
    var violations: @Sendable (JSON) -> [Violation]

    var description: String { "\(point) \(name)" }

    /// All examples of what the vendors of the contracts send.
    static let all: [Sample] = {
        guard let contracts = try? ContractFolder(path: Repository.folder("contracts")).contracts else { return [] }
        return contracts.filter { $0.vendor != "admin" }.flatMap { contract -> [Sample] in
            let answers = (contract.operations.filter { !$0.isAdmin } + contract.channels.flatMap(\.received)).flatMap { operation in
                operation.answers.compactMap { answer -> Sample? in
                    guard let body = answer.example, let schema = answer.schema, answer.isJSON else { return nil }
                    return Sample(point: operation.qualifiedName, name: answer.name, body: body, schema: schema) { body in
                        operation.checkAnswer(name: answer.name, status: answer.status ?? 200, headers: [:], body: body)
                            .filter { $0.part == .body }
                    }
                }
            }
            let messages = contract.channels.flatMap(\.sent).filter { !$0.isText }.flatMap { message in
                message.examples.map { example in
                    Sample(point: message.qualifiedName, name: example.name, body: example.value, schema: message.schema) {
                        message.check($0)
                    }
                }
            }
            return answers + messages
        }.reduce(into: [String: Sample]()) { byBody, sample in
            // Many operations refuse with the same body.
            if byBody[sample.body.text] == nil { byBody[sample.body.text] = sample }
        }.sorted { $0.key < $1.key }.map(\.value)
    }()
}

extension VariationSubject {
    /// The first of its kind for ada.
    init(_ plan: VariationPlan, _ point: String = "bird.find", ordinal: Int = 1) {
        let seed = plan.seed
        self.init(
            Variations(plan) { Array(SHA256.hash(data: Array("\(seed) \($0)".utf8))) }, vendor: String(point.prefix { $0 != "." }),
            point: point, lane: "ada", ordinal: ordinal)
    }
}

extension Sample {
    /// The body as it goes out, and what was changed.
    func varied(_ plan: VariationPlan, ordinal: Int = 1) -> (body: JSON, changes: [VariedPlace]) {
        var variation = BodyVariation(
            VariationSubject(plan, point, ordinal: ordinal), hosts: OtherHosts.of(["127.0.0.1:8080", "localhost:8443"]))
        let body = variation.varied(body, by: SchemaView(schema))
        return (body, variation.changes)
    }
}
