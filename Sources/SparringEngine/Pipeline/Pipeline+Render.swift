import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

extension Pipeline {
    func render(_ answer: Answer, _ call: Call) -> RenderedAnswer {
        guard let declared = call.operation.answer(answer.name) else {
            return RenderedAnswer(
                response: Response.problem(500, "\(call.operation.qualifiedName) does not declare the answer '\(answer.name)'"),
                cause: Cause("Sparring gave the undeclared answer '\(answer.name)'", code: Cause.failed))
        }
        var answer = answer
        let json: JSON?
        switch answer.body {
        case .none: json = declared.onWire(nil)
        case .stream: json = nil
        case .bytes(let bytes):
            json = declared.mediaType == "text/plain" ? declared.onWire(.string(String(decoding: bytes, as: UTF8.self))) : nil
        case .json(let made): json = declared.onWire(made)
        case .text(let text): json = declared.onWire(.string(text))
        }
        switch (answer.body, json) {
        case (.json, let json?): answer.body = .json(json)
        case _ where !declared.hasOtherBody: break
        case (_, .string(let text)?): answer.body = .text(text)
        case (_, let json?): answer.body = .json(json)
        // Bytes stay as they are, unless none are to go out.
        case (_, nil): if declared.hasNoBody { answer.body = .none }
        }
        return RenderedAnswer(
            declared: declared, response: Render.response(answer, declared, call.operation, call.request), json: json,
            cause: answer.cause.map { Cause($0) }, findings: answer.findings)
    }
}
