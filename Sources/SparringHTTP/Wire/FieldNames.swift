import HTTPTypes

/// The names of header fields that most requests have, made once: otherwise every field of every request would be checked and written in lower case again.
enum FieldNames {
    private static let common = [
        "Host", "Connection", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Type",
        "Content-Length", "Transfer-Encoding", "Cookie", "Origin", "Referer", "Cache-Control", "Pragma", "If-None-Match", "Range",
        "X-Requested-With", "X-Sparring-Lane", "X-Forwarded-For", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Expect",
    ]

    /// The names by the spellings in which clients write them.
    private static let known: [String: HTTPField.Name] = Dictionary(
        (common + common.map { $0.lowercased() }).compactMap { text in HTTPField.Name(text).map { (text, $0) } },
        uniquingKeysWith: { first, _ in first })

    /// Nil where it is not a token (RFC 9110 §5.1).
    static func name(of bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        let text = String(decoding: bytes, as: UTF8.self)
        return known[text] ?? HTTPField.Name(text)
    }
}
