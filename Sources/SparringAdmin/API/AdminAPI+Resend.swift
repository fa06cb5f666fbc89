import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// Sending a request of the journal once more.
extension AdminAPI {
    /// The lane of what is sent again where none is wished: the calls of the client's own lanes keep their numbers, and so the faults that will strike them.
    private static let resendingLane = "page"

    /// The request that is sent is not judged: it has a cause, like a call from one vendor to another.
    func resendEntry(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        guard let resend = call.resend else { throw ToolError("only a caller of the admin API has requests sent again") }
        let original = try await entry(call, sandbox)
        let request = try request(again: original, call)
        let origin = JournalEntry.Origin(original)
        let before = try await store.read { try sandbox.journal.newest($0) } ?? 0
        let delivery = await resend(request, origin)
        let sent = try await store.read { db in
            try sandbox.journal.read(Journal.Query(since: before + 1, limit: 10_000), db).lazy.map { try JSON(parsing: $0) }
                .first { $0["causedBy"] == origin.json && $0["request"]?["target"]?.string == request.head.target }
        }
        return Answer(
            "resent",
            .members([
                "number": sent?["number"], "status": delivery.status.map { .integer(Int64($0)) }, "delivery": .string(delivery.word),
            ]))
    }

    /// - Throws: ``AdminProblem`` for what was no request, or is not in the journal as a whole; ``ConfigurationError`` for what is to be another.
    private func request(again entry: JSON, _ call: AdminCall) throws -> Request {
        let (recorded, number) = (entry["request"], entry["number"]?.text ?? "")
        guard entry["kind"]?.string == JournalEntry.Kind.exchange.rawValue, let recorded else {
            throw AdminProblem("not-a-request", "entry \(number) is not a request from a client: it cannot be sent again")
        }
        var headers = HTTPFields()
        for (name, value) in recorded["headers"]?.object ?? [:] {
            if let name = HTTPField.Name(name) { headers[name] = value.string }
        }
        headers[.sparringLane] = call.body["lane"]?.string ?? Self.resendingLane
        for (name, value) in call.body["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name) else {
                throw ConfigurationError(["headers", name], "\(name.quoted) is not the name of a header")
            }
            headers[field] = value.string
        }
        guard headers[.upgrade] == nil else {
            throw AdminProblem("not-a-request", "entry \(number) opened a socket: a new one would have nobody at the other end")
        }
        let body = try body(again: recorded, number, call)
        headers[.transferEncoding] = nil
        headers[.contentLength] = body.isEmpty ? nil : String(body.count)
        let method = call.body["method"]?.string ?? recorded["method"]?.string ?? ""
        guard let method = HTTPRequest.Method(method) else { throw ConfigurationError(["method"], "\(method.quoted) is not a method") }
        let head = RequestHead(
            method: method, target: call.body["target"]?.string ?? recorded["target"]?.string ?? "/", headers: headers, arrival: .now)
        return Request(head: head, body: body)
    }

    private func body(again recorded: JSON, _ number: String, _ call: AdminCall) throws(AdminProblem) -> [UInt8] {
        if let text = call.body["body"]?.string { return Array(text.utf8) }
        if recorded["bodySize"] != nil {
            throw AdminProblem("not-a-request", "the journal has only the beginning of the body of entry \(number): give it as 'body'")
        }
        if let hex = recorded["bodyHex"]?.string { return JournalEntry.bytes(ofHex: hex) }
        return Array((recorded["body"]?.string ?? "").utf8)
    }
}

extension Delivery {
    /// Nil where no answer begins.
    fileprivate var status: Int? {
        switch self {
        case .answer(let response), .disturbed(let response, _), .formed(let response, _): response.status
        case .upgrade, .reset, .empty, .raw, .stall: nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .answer, .formed: "answered"
        case .disturbed: "disturbed"
        case .upgrade: "upgraded"
        case .reset: "reset"
        case .empty: "closed"
        case .raw: "malformed"
        case .stall: "stalled"
        }
    }
}
