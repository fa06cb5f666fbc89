import HTTPTypes
import SparringContract
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations that no code implements (`x-stub`).
extension Call {
    /// The decision of a stub, which reads and writes nothing.
    func stubbed(_ stub: Stub) -> Decision {
        guard let name = tenant.stubs.choices[operation.id] ?? stub.answer else { return .nothing(cause: "a stub, which answers nothing") }
        var answer = example(of: name)
        answer.cause = "a stub: the example '\(name)'"
        return .answer(answer)
    }

    /// An answer's example, with the values of this call in their places.
    func example(of name: String) -> Answer {
        guard let declared = operation.answer(name) else { return Answer(name) }
        var answer = Answer(name)
        if let example = declared.example?.filled(value) {
            // Of what is not JSON, the example is the text itself.
            if let text = example.string, !declared.isJSON { answer.body = .text(text) } else { answer.body = .json(example) }
        }
        for header in declared.headers where header.required {
            guard let field = HTTPField.Name(header.name), let example = header.example?.filled(value) else { continue }
            answer.headers[field] = example.string ?? example.text
        }
        return answer
    }

    private func value(_ wanted: StubValue) -> JSON? {
        switch wanted {
        case .request(.path(let name)): request.pathParameters[name].map { .string($0) }
        case .request(.query(let name)): query(name).map { .string($0) }
        case .request(.header(let name)): HTTPField.Name(name).flatMap { header($0) }.map { .string($0) }
        case .request(.body(let pointer)): body?[pointer]
        case .time(let form, let span): Self.time(now + span, form)
        case .id(.hex, let purpose): .string(String(draw("stub id \(purpose)").hex.prefix(24)))
        case .id(.uuid, let purpose): .string(draw("stub id \(purpose)").uuid)
        }
    }

    private static func time(_ time: Timestamp, _ form: StubValue.TimeForm) -> JSON {
        switch form {
        case .text: .string(time.description)
        case .seconds: .integer(time.seconds)
        case .milliseconds: .integer(time.milliseconds)
        }
    }
}
