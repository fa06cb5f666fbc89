import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON

/// Answers as they go on the wire.
enum Render {
    /// The function of a JSONP answer whose request names none.
    private static let unnamedCallback = "callback"

    /// An answer as its declaration has it on the wire.
    static func response(_ answer: Answer, _ declared: DeclaredAnswer, _ operation: ContractOperation, _ request: RequestParts) -> Response
    {
        var headers = answer.headers
        headers.reserveCapacity(headers.count + 2)
        var body: [UInt8] = []
        switch answer.body {
        case .none: break
        case .json(.string(let text)) where declared.mediaType == "text/plain": body = Array(text.utf8)
        case .json(let json):
            body = script(json.bytes, declared, operation, request)
        case .text(let text): body = Array(text.utf8)
        case .bytes(let bytes): body = script(bytes, declared, operation, request)
        case .stream: break
        }
        for header in declared.headers where header.required && headers[HTTPField.Name(header.name)!] == nil {
            if let example = header.example { headers[HTTPField.Name(header.name)!] = example.string ?? example.text }
        }
        if let mediaType = declared.mediaType {
            headers[.contentType] = mediaType.hasPrefix("text/html") ? "text/html; charset=utf-8" : mediaType
        }
        headers = declared.onWire(headers)
        if !operation.isAdmin { allowOrigin(request.headers, &headers) }
        // Of a message nothing but the body goes out.
        let status = declared.status ?? 200
        if case .stream(let stream) = answer.body { return Response(status: status, headers: headers, body: .stream(stream)) }
        return Response(status: status, headers: headers, body: .bytes(body))
    }

    /// JSON in the call of a function, where that is what the operation answers (`x-jsonp`).
    private static func script(
        _ json: [UInt8], _ declared: DeclaredAnswer, _ operation: ContractOperation, _ request: RequestParts
    ) -> [UInt8] {
        guard let parameter = operation.jsonpCallback, declared.mediaType == "application/javascript" else { return json }
        let callback = request.query.first { $0.name == parameter }?.value ?? unnamedCallback
        return isIdentifier(callback) ? Array("\(callback)(".utf8) + json + Array(");".utf8) : json
    }

    /// Other JSON in the body of an answer: alone, or in the call of a function.
    static func script(_ json: [UInt8], inPlaceOf decided: [UInt8], in body: [UInt8]) -> [UInt8] {
        let around = body.count - decided.count
        guard around > 2, body.suffix(2) == Array(");".utf8)[...] else { return json }
        return body[..<(around - 2)] + json + Array(");".utf8)
    }

    /// The HTTP server's refusal of a handshake, in the form that the operation declares for its status; as it is where the operation declares none, or none with a body.
    static func refusal(_ refusal: Response, as operation: ContractOperation, _ request: RequestParts) -> Response {
        let declared = operation.answers.filter { $0.status == refusal.status && $0.isUnhappy }
        guard declared.count == 1, let example = declared[0].example else { return refusal }
        var response = Self.response(Answer(declared[0].name, example), declared[0], operation, request)
        for field in refusal.headers where field.name != .contentType { response.headers[field.name] = field.value }
        return response
    }

    /// Web clients call from pages of any origin (Fetch standard, CORS protocol); the admin API is not for pages.
    static func allowOrigin(_ request: HTTPFields, _ headers: inout HTTPFields) {
        guard let origin = request.value(of: .origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlAllowCredentials] = "true"
        // Without this, a page cannot read the headers that it must obey, or needs to resume a download (Fetch standard §3.3.3).
        headers[.accessControlExposeHeaders] = "Accept-Ranges, Content-Range, ETag, Retry-After, WWW-Authenticate"
        headers[.vary] = "Origin"
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
