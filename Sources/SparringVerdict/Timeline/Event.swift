import SparringContract
package import SparringJSON
import SparringJournal

/// An entry of the journal, as rules see it. A class, as one is handed to many rules.
package final class Event: Sendable {
    package enum Kind: Sendable, Hashable {
        /// A request of the client's, or a message on a socket of its, with what came of it.
        case call
        /// The client gave up waiting for the answer to a call that was reported before.
        case gaveUp
        /// A call by which an emulated vendor reaches another party, such as a push.
        case vendorCall
        /// A message that was sent to the client unasked.
        case notification
        /// A socket is over.
        case socketEnd
        /// A socket is no longer read nor written, and stays open.
        case socketFrozen
        /// A connection on a port with a TLS defect was taken, or left without a request.
        case connection
        /// The client under test told something.
        case mark
        case other
    }

    package let number: Int
    package let kind: Kind
    /// `vendor.operationId`; a mark's name; of a connection `taken`, `left` or `refused`.
    package var operation: String { name.text }
    let name: OperationName
    /// The caller: the person who has been proved to be behind the name that the call carries, otherwise that name.
    package let lane: String
    /// The person's device: the one that a mark names, or the name that the call carries if it is not the person's own.
    package let device: String?
    package let ordinal: Int?
    package let socket: Int?
    /// The outcome of a call, also of one that was given up; nil for other events.
    package let outcome: Outcome?
    /// When the client's request, or whatever else it is, arrived.
    package let begin: Instant
    /// When the client knew how it ended.
    package let end: Instant
    package let isStruck: Bool
    var hasFindings: Bool { !findings.isEmpty }
    /// Read once, as many rules ask.
    let findings: [Finding]
    /// The entry in the journal.
    let record: JSONScanner
    let renamed: RenamedPlaces?

    /// Nil where the record is none.
    ///
    /// - Parameter name: of its operation, as it stands in the record.
    init?(_ record: JSONScanner, _ name: OperationName, _ people: People, _ renamed: RenamedPlaces?) {
        guard let number = record.integer("number"), let word = record.string("kind"), let kind = JournalEntry.Kind(rawValue: word),
            let time = record.time("sandboxTime"), let arrival = record.object("arrival"),
            let monotonic = arrival.integer("monotonic"), let process = arrival.integer("process")
        else { return nil }
        self.number = Int(number)
        self.record = record
        self.renamed = renamed
        let called = record.string("lane") ?? ""
        let details = record.object("details")
        let (entry, socket) = (Int(number), details?.integer("socket").map { Int($0) })
        self.socket = socket
        // A socket whose opening names nobody is its owner's from the beginning.
        let behind = people.actor(behind: called, at: entry)
        let owner = socket.flatMap { people.owner(ofSocket: $0, process: Int(process), at: entry) }
        lane = behind == called ? owner ?? behind : behind
        ordinal = record.integer("ordinal").map { Int($0) }
        isStruck = record.has("faults")
        findings = record.has("findings") ? record.json("findings")?.array?.compactMap(Finding.init) ?? [] : []
        let began = record.time("began") ?? time
        let ended = record.time("ended") ?? time
        let answered = arrival.integer("answered") ?? monotonic
        var begin = Instant(sandbox: began.milliseconds, monotonic: monotonic, process: Int(process))
        var end = Instant(sandbox: ended.milliseconds, monotonic: answered, process: Int(process))
        begin.delayed = arrival.integer("delayed") ?? 0
        begin.busy = arrival.integer("busy") ?? 0
        begin.opening = arrival.integer("opening") ?? 0
        (end.delayed, end.busy) = (begin.delayed, begin.busy)
        (self.begin, self.end) = (begin, end)
        device = (kind == .mark ? details?.string("device") : nil) ?? (called == lane ? nil : called)
        let seen: Kind
        switch kind {
        case .exchange, .message: seen = record.has("causedBy") ? .vendorCall : .call
        case .outbound: seen = .vendorCall
        case .hangUp: seen = .gaveUp
        case .notification: seen = .notification
        case .socket: seen = details?.has("frozen") == true ? .socketFrozen : details?.has("by") == true ? .socketEnd : .other
        case .mark: seen = .mark
        case .connection: seen = .connection
        case .due, .fault, .clock, .finding, .configuration: seen = .other
        }
        self.kind = seen
        switch seen {
        case .mark: self.name = OperationName(details?.string("mark") ?? "")
        case .connection: self.name = OperationName(details?.string("connection") ?? "")
        default: self.name = name
        }
        switch seen {
        case .call, .vendorCall: outcome = Outcome(record.object("answer"))
        case .gaveUp: outcome = .failure(class: FailureClass.noAnswer, name: nil)
        default: outcome = nil
        }
    }

    /// The same call, whose answer never arrived.
    init(lost event: Event) {
        (number, kind, name, lane, device, ordinal) = (event.number, event.kind, event.name, event.lane, event.device, event.ordinal)
        (socket, begin, end, isStruck) = (event.socket, event.begin, event.end, event.isStruck)
        (findings, record, renamed) = (event.findings, event.record, event.renamed)
        outcome = .failure(class: FailureClass.noAnswer, name: event.outcome?.name)
    }

    /// All of the entry.
    package var json: JSON { record.json ?? .null }
}

extension JSONScanner {
    fileprivate func time(_ name: StaticString) -> Timestamp? { withString(name) { Timestamp(utf8: $0) } }
}

/// The outcome of a call, as a client can know it.
package enum Outcome: Sendable, Hashable {
    /// With the answer's name in the contract; nil where nothing is answered to it.
    case success(String?)
    /// - Parameters:
    ///   - class: one of ``FailureClass``.
    ///   - name: of what was decided; nil where nothing was.
    case failure(class: String, name: String?)

    init(_ answer: JSONScanner?) {
        let name = answer?.string("name")
        guard let answer, answer.string("received") == nil else {
            self = .failure(class: FailureClass.noAnswer, name: name)
            return
        }
        switch answer.string("outcome") {
        case "ok"?: self = .success(name)
        case let outcome?: self = .failure(class: outcome, name: name)
        case nil:
            let status = answer.integer("status").map { Int($0) }
            self = .failure(class: status.map(FailureClass.ofUndeclared) ?? FailureClass.noAnswer, name: name)
        }
    }

    package var isSuccess: Bool { if case .success = self { true } else { false } }
    var failureClass: String? { if case .failure(let name, _) = self { name } else { nil } }
    package var name: String? {
        switch self {
        case .success(let name): name
        case .failure(_, let name): name
        }
    }

    /// In the words of a report.
    package var words: String {
        switch self {
        case .success(let name): name ?? AnswerOutcome.ok.rawValue
        case .failure(FailureClass.noAnswer, let name?): "no answer (decided: \(name))"
        case .failure(FailureClass.noAnswer, nil): "no answer"
        case .failure(let failure, let name): name ?? failure
        }
    }
}

/// The meaning of a failed call to a client: what the contract says of the answer (`x-outcome`), or that there was none.
enum FailureClass {
    /// No answer, a part of one, or nothing that the contract has.
    static let noAnswer = "no-answer"

    static let all = [noAnswer] + AnswerOutcome.allCases.filter { $0 != .ok }.map(\.rawValue)

    /// The class of an answer that a gateway gave in the vendor's place, or a fault: the contract has none, so the status decides.
    static func ofUndeclared(_ status: Int) -> String {
        switch status {
        case 408, 429, 500...: AnswerOutcome.unavailable.rawValue
        case 400..<500: AnswerOutcome.refused.rawValue
        default: noAnswer
        }
    }
}
