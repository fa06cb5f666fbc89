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
        case .none, .stream: json = nil
        case .bytes(let bytes): json = declared.mediaType == "text/plain" ? .string(String(decoding: bytes, as: UTF8.self)) : nil
        case .json(let made):
            let onWire = declared.schema?.onWire(made) ?? made
            answer.body = .json(onWire)
            json = onWire
        case .text(let text): json = .string(text)
        }
        return RenderedAnswer(
            declared: declared, response: Render.response(answer, declared, call.operation, call.request), json: json,
            cause: answer.cause.map { Cause($0) }, findings: answer.findings)
    }
}
