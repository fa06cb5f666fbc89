import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringSandbox
import SparringVariation

/// An answer as it goes out where that is otherwise than it was decided.
struct VariedAnswer: Sendable {
    private(set) var response: Response
    /// The body's JSON; nil: it has none.
    private(set) var json: JSON?
    /// The form of an HTTP answer; nil: the usual one.
    private(set) var form: AnswerForm?
    /// The frames of a message; nil: one.
    private(set) var frames: FrameVariation?
    /// The caller's own socket is sent what the call causes before the answer.
    private(set) var comesLast = false
    private(set) var changes: [VariedPlace] = []

    /// - Parameters:
    ///   - settled: what was decided.
    ///   - isAlone: no fault strikes the call, so that the answer's way may be varied too.
    ///   - mayChunk: the client takes chunked bodies (RFC 9112 §7.1).
    init(
        _ settled: RenderedAnswer, _ response: Response, _ declared: DeclaredAnswer, to call: Call, _ subject: VariationSubject,
        isAlone: Bool, mayChunk: Bool
    ) {
        (self.response, json) = (response, settled.json)
        varyBody(declared, call, subject)
        if declared.isUnhappy, !call.operation.isMessage { varyError(declared, subject) }
        if call.operation.isMessage {
            let last = AnswerVariation(ofMessage: subject)
            comesLast = last.comesLast
            changes += last.changes
            if isAlone, call.socket?.isPolled == false, let (frames, change) = FrameVariation.drawn(subject) {
                self.frames = frames
                changes.append(change)
            }
        } else if isAlone {
            varyWay(call, subject, mayChunk)
        }
    }

    mutating func isolate() { Isolation.add(to: &response) }

    /// A fault has changed it further.
    mutating func isAltered(to altered: Response?) { if let altered { response = altered } }

    private mutating func varyBody(_ declared: DeclaredAnswer, _ call: Call, _ subject: VariationSubject) {
        guard declared.isJSON, let decided = json, case .bytes(let bytes) = response.body else { return }
        let addresses = [call.base, call.serviceHost]
        guard let sent = VariedBody.drawn(decided, by: SchemaView(declared.schema), subject, addresses: addresses) else { return }
        json = sent.json
        response.body = .bytes(Render.script(sent.bytes, inPlaceOf: decided.bytes, in: bytes))
        changes += sent.changes
    }

    /// A gateway's page in the place of the vendor's object.
    private mutating func varyError(_ declared: DeclaredAnswer, _ subject: VariationSubject) {
        guard declared.isJSON, let pick = subject.pick(.errorPage, "page", of: 1) else { return }
        response.headers[.contentType] = "text/html"
        response.body = .bytes(Array("<html><body><h1>\(response.status) \(Response.reason(of: response.status))</h1></body></html>".utf8))
        json = nil
        changes.append(VariedPlace(pick.id, at: "", "an HTML page for the body"))
    }

    private mutating func varyWay(_ call: Call, _ subject: VariationSubject, _ mayChunk: Bool) {
        guard case .bytes(let body) = response.body, call.request.method != .head else { return }
        let way = AnswerVariation(
            subject, contentType: response.headers[.contentType], hasBody: !body.isEmpty, mayChunk: mayChunk)
        changes += way.changes
        if let type = way.contentType { response.headers[.contentType] = type }
        if way.head == .added, let name = HTTPField.Name("X-Sparring-\(way.word)") { response.headers[name] = way.word }
        form = AnswerForm(way, of: body.count)
    }
}

extension AnswerForm {
    /// Nil: the usual one.
    fileprivate init?(_ way: AnswerVariation, of count: Int) {
        self.init()
        switch way.head {
        case .lowerCase: names = .lowerCase
        case .upperCase: names = .upperCase
        case .reversed: isReversed = true
        case .added, nil: if way.framing == nil { return nil }
        }
        switch way.framing {
        case .chunk: framing = .chunks(count, hasExtensions: false)
        case .smallChunks: framing = .chunks(7, hasExtensions: true)
        case .pieces: pauses = [count / 3, count * 2 / 3]
        case .firstByte: pauses = [1]
        case nil: break
        }
    }
}
