public import SparringJSON
import SparringJournal

/// What a rule sees of an entry of the journal.
public struct Event: Sendable {
    public enum Kind: Sendable, Hashable {
        /// A request of the client's, or a message on a socket of its, with what came of it.
        case call
        /// The client gave up waiting for the answer to a call that was told before.
        case gaveUp
        /// A call by which an emulated vendor reaches another party, such as a push.
        case vendorCall
        /// A message that was sent to the client unasked.
        case notification
        /// A socket is over.
        case socketEnd
        /// A socket is no longer read nor written, and stays open.
        case socketFrozen
        /// The client under test told something.
        case mark
        case other
    }

    public var number: Int
    public var kind: Kind
    /// `vendor.operationId`; a mark's name.
    public var operation: String
    public var lane: String
    public var ordinal: Int?
    public var socket: Int?
    /// Of calls.
    public var outcome: Outcome?
    /// When the client's request, or whatever else it is, arrived.
    public var begin: Instant
    /// When the client knew how it ended.
    public var end: Instant
    public var isStruck: Bool
    public var hasFindings: Bool
    /// What stands in the journal.
    let record: JSONScanner

    /// Nil where the record is none.
    public init?(_ record: JSONScanner, classes: FailureClasses) {
        guard let number = record.integer("number"), let word = record.string("kind"), let kind = JournalEntry.Kind(rawValue: word),
            let time = record.string("sandboxTime").flatMap({ Timestamp($0) }), let arrival = record.object("arrival"),
            let monotonic = arrival.integer("monotonic"), let process = arrival.integer("process")
        else { return nil }
        self.number = Int(number)
        self.record = record
        operation = record.string("operation") ?? ""
        lane = record.string("lane") ?? ""
        ordinal = record.integer("ordinal").map { Int($0) }
        isStruck = record.has("faults")
        hasFindings = record.has("findings")
        let began = record.string("began").flatMap { Timestamp($0) } ?? time
        let ended = record.string("ended").flatMap { Timestamp($0) } ?? time
        let answered = arrival.integer("answered") ?? monotonic
        begin = Instant(sandbox: began.milliseconds, monotonic: monotonic, process: Int(process))
        end = Instant(sandbox: ended.milliseconds, monotonic: answered, process: Int(process))
        let details = record.object("details")
        socket = details?.integer("socket").map { Int($0) }
        switch kind {
        case .exchange, .message: self.kind = record.has("causedBy") ? .vendorCall : .call
        case .outbound: self.kind = .vendorCall
        case .hangUp: self.kind = .gaveUp
        case .notification: self.kind = .notification
        case .socket: self.kind = details?.has("frozen") == true ? .socketFrozen : details?.has("by") == true ? .socketEnd : .other
        case .mark: self.kind = .mark
        case .due, .fault, .clock, .finding, .configuration: self.kind = .other
        }
        if kind == .mark { operation = details?.string("mark") ?? "" }
        if self.kind == .call || self.kind == .vendorCall { outcome = Outcome(record.object("answer"), operation, classes) }
        if self.kind == .gaveUp { outcome = .failure(class: FailureClasses.noAnswer, name: nil) }
    }

    /// All of the entry.
    public var json: JSON { record.json ?? .null }
}

/// What came of a call, as a client can know it.
public enum Outcome: Sendable, Hashable {
    /// With the answer's name in the contract.
    case success(String)
    /// - Parameters:
    ///   - class: by the behaviour file's classes of names, never by number alone.
    ///   - name: of what was decided; nil where nothing was.
    case failure(class: String, name: String?)

    init(_ answer: JSONScanner?, _ operation: String, _ classes: FailureClasses) {
        let name = answer?.string("name")
        guard let answer, answer.string("received") == nil, let status = answer.integer("status") else {
            self = .failure(class: FailureClasses.noAnswer, name: name)
            return
        }
        if let name {
            self = status < 400 ? .success(name) : .failure(class: classes.class(of: name, operation), name: name)
        } else {
            self = .failure(class: FailureClasses.ofUnnamed(Int(status)), name: nil)
        }
    }

    public var isSuccess: Bool { if case .success = self { true } else { false } }
    public var failureClass: String? { if case .failure(let name, _) = self { name } else { nil } }
    public var name: String? {
        switch self {
        case .success(let name): name
        case .failure(_, let name): name
        }
    }

    /// In the words of a report.
    public var words: String {
        switch self {
        case .success(let name): name
        case .failure(FailureClasses.noAnswer, let name?): "no answer (decided: \(name))"
        case .failure(FailureClasses.noAnswer, nil): "no answer"
        case .failure(let failure, let name): name ?? failure
        }
    }
}

/// Which of a vendor's unhappy answers mean what to a client. Names tell, since vendors' numbers do not: a `bad-signature` that comes as 500 is
/// a failure of authentication.
public struct FailureClasses: Sendable {
    /// No answer, a part of one, or nothing that the contract has.
    public static let noAnswer = "no-answer"
    /// The server is overrun or down, and may be well later.
    public static let unavailable = "unavailable"
    /// Asked again, it would be refused again.
    public static let refused = "refused"

    private var byVendor: [String: [String: String]] = [:]

    public init() {}

    public mutating func declare(_ name: String, as failure: String, of vendor: String) { byVendor[vendor, default: [:]][name] = failure }

    public func declared(of vendor: String) -> [String: String] { byVendor[vendor] ?? [:] }

    func `class`(of name: String, _ operation: String) -> String {
        byVendor[String(operation.prefix { $0 != "." })]?[name] ?? Self.refused
    }

    /// What a gateway said in the vendor's place, or a fault: there is no name, so the number has to tell.
    static func ofUnnamed(_ status: Int) -> String {
        switch status {
        case 408, 429, 500...: unavailable
        case 400..<500: refused
        default: noAnswer
        }
    }
}
