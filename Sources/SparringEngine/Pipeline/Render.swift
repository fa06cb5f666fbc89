import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

/// What a call has come to: the answer as it goes on the wire, and what the journal and the self-check want to know of it.
struct RenderedAnswer: Sendable {
    /// As the contract declares it; nil where a fault made it.
    var declared: DeclaredAnswer?
    /// Nil where the connection is cut before a decision.
    var response: Response?
    var json: JSON?
    var cause: Cause?
    /// What the handler found wrong with the call.
    var findings: [Finding] = []
    /// The response is not as the vendor meant it.
    var isAltered = false
    /// Nothing goes back, as the contract has it.
    var isUnanswered = false

    /// The answer's name in the contract.
    var name: String? { declared?.name }

    func recorded(_ delivery: String?, _ received: JournalEntry.Answer.Received? = nil) -> JournalEntry.Answer? {
        guard let response else {
            return delivery.map { JournalEntry.Answer(name: nil, status: nil, headers: [], body: [], delivery: $0, received: .nothing) }
        }
        if isUnanswered {
            return JournalEntry.Answer(
                name: nil, status: nil, outcome: AnswerOutcome.ok.rawValue, headers: [], body: [], delivery: delivery)
        }
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return JournalEntry.Answer(
            name: name, status: declared == nil ? response.status : declared?.status, outcome: declared?.outcome.rawValue,
            headers: response.headers.map { ($0.name.rawName, $0.value) }, body: body, delivery: delivery, received: received)
    }
}

extension RenderedAnswer {
    /// Of a call whose operation has no reply. Of any other it is Sparring's mistake.
    static func unanswered(_ call: Call, _ cause: String?) -> RenderedAnswer {
        guard call.operation.answers.isEmpty else {
            return RenderedAnswer(
                response: Render.problem(500, "\(call.operation.qualifiedName) was not answered"),
                cause: Cause("Sparring did not answer \(call.operation.qualifiedName)", code: Cause.failed))
        }
        return RenderedAnswer(response: Response(status: 200), cause: cause.map { Cause($0) }, isUnanswered: true)
    }
}

enum Render {
    /// An answer as its declaration has it on the wire.
    static func response(_ answer: Answer, _ declared: DeclaredAnswer, _ operation: ContractOperation, _ request: RequestParts) -> Response
    {
        var headers = answer.headers
        var body: [UInt8] = []
        switch answer.body {
        case .none: break
        case .json(.string(let text)) where declared.mediaType == "text/plain": body = Array(text.utf8)
        case .json(let json):
            if let callback = operation.jsonpCallback.flatMap({ name in request.query.first { $0.name == name }?.value }),
                declared.mediaType == "application/javascript", isIdentifier(callback)
            {
                body = Array("\(callback)(".utf8) + json.bytes + Array(");".utf8)
            } else {
                body = json.bytes
            }
        case .text(let text): body = Array(text.utf8)
        case .bytes(let bytes): body = bytes
        case .stream: break
        }
        for header in declared.headers where header.required && headers[HTTPField.Name(header.name)!] == nil {
            if let example = header.example { headers[HTTPField.Name(header.name)!] = example.string ?? example.text }
        }
        if let mediaType = declared.mediaType {
            headers[.contentType] = mediaType.hasPrefix("text/html") ? "text/html; charset=utf-8" : mediaType
        }
        if !operation.isAdmin { allowOrigin(request.headers, &headers) }
        // Of a message nothing but the body goes out.
        let status = declared.status ?? 200
        if case .stream(let stream) = answer.body { return Response(status: status, headers: headers, body: .stream(stream)) }
        return Response(status: status, headers: headers, body: .bytes(body))
    }

    /// Web clients call from pages of any origin (Fetch standard, CORS protocol); the admin API is not for pages.
    static func allowOrigin(_ request: HTTPFields, _ headers: inout HTTPFields) {
        guard let origin = request[.origin] else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlAllowCredentials] = "true"
        headers[.vary] = "Origin"
    }

    /// A problem (RFC 9457) of Sparring itself, for what is no vendor's to answer.
    static func problem(
        _ status: Int, _ detail: String, type: String = "about:blank", members: JSON.Object = [:], headers: HTTPFields = [:]
    ) -> Response {
        var problem: JSON = .members([
            "type": .string(type), "title": .string(title(of: status)), "status": .integer(Int64(status)),
            "detail": .string(detail),
        ])
        for (name, value) in members { problem[name] = value }
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: .bytes(problem.bytes))
    }

    /// The status's phrase (RFC 9110 §15), which RFC 9457 §4.2.1 wants as the title of a problem without a type of its own.
    static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Status \(status)"
        }
    }

    /// An ECMAScript identifier, or several with dots between: nothing else may be put before a parenthesis in a script.
    private static func isIdentifier(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.unicodeScalars.first else { return false }
            return (first.properties.isXIDStart || first == "$" || first == "_")
                && part.unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue || $0 == "$" }
        }
    }
}

extension Pipeline {
    func render(_ answer: Answer, _ call: Call) -> RenderedAnswer {
        guard let declared = call.operation.answer(answer.name) else {
            return RenderedAnswer(
                response: Render.problem(500, "\(call.operation.qualifiedName) does not declare the answer '\(answer.name)'"),
                cause: Cause("Sparring gave the undeclared answer '\(answer.name)'", code: Cause.failed))
        }
        let json: JSON? =
            switch answer.body {
            case .none, .bytes, .stream: nil
            case .json(let json): json
            case .text(let text): .string(text)
            }
        return RenderedAnswer(
            declared: declared, response: Render.response(answer, declared, call.operation, call.request), json: json,
            cause: answer.cause.map { Cause($0) }, findings: answer.findings)
    }
}

extension JournalEntry.Request {
    init(_ incoming: Incoming) {
        // A message has no head of its own; the upgrade's stands in the entry of the socket's opening.
        let isMessage = incoming.socket != nil
        self.init(
            method: isMessage ? "MESSAGE" : incoming.head.method.rawValue, target: incoming.head.target,
            headers: isMessage ? [] : incoming.head.headers.map { ($0.name.rawName, $0.value) }, body: incoming.body,
            connection: incoming.exchange == nil && !isMessage ? nil : incoming.head.connection)
    }
}
