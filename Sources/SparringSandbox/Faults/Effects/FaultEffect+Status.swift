package import HTTPTypes
import SparringJSON

extension Fault {
    /// The answer of a gateway in front of the vendor.
    package struct StatusAnswer: Sendable {
        package var code: Int
        /// The media type of a gateway's page, in place of the vendor's own shape.
        package var type: String?
        /// The page's text; nil: a usual one.
        package var body: String?
        /// Header fields that it has besides, such as `Location` and `Set-Cookie`.
        package var headers = HTTPFields()
    }
}

extension FaultEffect {
    static let status = FaultEffect(
        "status", "a bare status, such as a gateway's", at: [.call: .aroundDecision, .upgrade: .aroundDecision],
        [
            .init(
                "code", .number(200...599), "Status of `status`, from 200 to 599.", example: "503", isRequired: true,
                narrowing: ["pattern": "^0*[2-5][0-9]{2}$"]),
            .init("retry-after", .duration(orSeconds: true), "`Retry-After` of `status`: a duration, or seconds.", example: "30s"),
            .init("type", .mediaType, "Media type of the page of `status`.", example: "text/html"),
            .init("body", .text, "Page of `status`.", example: "Bad Gateway"),
            .init("location", .text, "`Location` of `status`.", example: "https://login.example/"),
            .init("set-header:", .header(reserved: reserved), "A header field of `status`.", example: #"Set-Cookie="a=b; Path=/""#),
        ]
    ) { given throws(FaultRefused) in
        var answer = Fault.StatusAnswer(code: given["code"] ?? 503, type: given["type"], body: given["body"])
        // Whole seconds (RFC 9110 §10.2.3), rounded up: a client that obeys must not come too early.
        if let after: Duration = given["retry-after"] { answer.headers[.retryAfter] = String((after.milliseconds + 999) / 1000) }
        let location: String? = given["location"]
        for (name, value) in (location.map { [(rest: "Location", text: $0)] } ?? []) + given.texts(prefix: "set-header:") {
            guard let field = HTTPField.Name(name), answer.headers[field] == nil else {
                throw FaultRefused("'set-header:\(name)' is given twice")
            }
            guard HTTPField.isValidValue(value) else {
                throw FaultRefused("'\(name)' has characters that no header may have (RFC 9110 §5.5)")
            }
            answer.headers[field] = value
            if field == .location { given.rename("set-header:\(name)", to: "location") }
        }
        return { [answer] strike, all in
            if strike.phase == .onRequestEnd {
                all.replacement = all.replacement ?? (strike.number, .status(answer))
            } else {
                all.substitute = all.substitute ?? (strike.number, answer)
            }
        }
    }

    /// Header fields that the body, the connection or another parameter decides.
    private static let reserved: Set<HTTPField.Name> = [
        .contentLength, .transferEncoding, .connection, .contentType, .retryAfter, .date, .upgrade, .trailer,
    ]
}
