import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

/// The result of a call: the answer as sent on the wire, and the facts about it for the journal and the self-check.
struct RenderedAnswer: Sendable {
    /// The answer's declaration in the contract; nil where a fault made it.
    var declared: DeclaredAnswer?
    /// Nil where the connection is cut before a decision.
    var response: Response?
    var json: JSON?
    var cause: Cause?
    /// The mistakes that the handler found in the call.
    var findings: [Finding] = []
    /// The response is not as the vendor meant it.
    var isAltered = false
    /// Nothing goes back, as the contract says.
    var isUnanswered = false
    /// Nothing goes back yet.
    var isHeld = false
    /// The vendor's own server gave it.
    var isRelayed = false
    /// How it goes out, where that is otherwise than it was decided.
    var varied: VariedAnswer?
    /// Messages of a client that polls, whose answers are the body.
    var carried: Carried?

    /// The response that goes out.
    var sent: Response? { varied?.response ?? response }

    /// The answer's name in the contract.
    var name: String? { declared?.name }

    func recorded(_ delivery: String?, _ received: JournalEntry.Answer.Received? = nil) -> JournalEntry.Answer? {
        guard let response else {
            return delivery.map { JournalEntry.Answer(name: nil, status: nil, headers: [:], body: [], delivery: $0, received: .nothing) }
        }
        if isUnanswered {
            return JournalEntry.Answer(
                name: nil, status: nil, outcome: AnswerOutcome.ok.rawValue, headers: [:], body: [], delivery: delivery)
        }
        var body: [UInt8] = []
        // Of the body of a 304, only the length is sent.
        if case .bytes(let bytes) = response.body, response.status != 304 { body = bytes }
        return JournalEntry.Answer(
            name: name, status: declared == nil ? response.status : declared?.status, outcome: declared?.outcome.rawValue,
            headers: response.headers, body: body, delivery: delivery, received: received)
    }
}

extension RenderedAnswer {
    /// The result of a call whose operation has no reply, or whose answer comes later. For any other call it is Sparring's mistake.
    static func unanswered(_ call: Call, _ cause: String?, isHeld: Bool = false) -> RenderedAnswer {
        guard call.operation.answers.isEmpty || isHeld && call.operation.isMessage else {
            return RenderedAnswer(
                response: Response.problem(500, "\(call.operation.qualifiedName) was not answered"),
                cause: Cause("Sparring did not answer \(call.operation.qualifiedName)", code: Cause.failed))
        }
        return RenderedAnswer(response: Response(status: 200), cause: cause.map { Cause($0) }, isUnanswered: true, isHeld: isHeld)
    }
}
