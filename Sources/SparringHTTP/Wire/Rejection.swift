/// A request that libmicrohttpd answered itself, as its log tells it:
/// `Error processing request (HTTP response code is 431 ('<html>…<body>Your HTTP header was too big …</body></html>')). Closing …`.
struct Rejection {
    /// The status and the sentence of the page, such as `431: Your HTTP header was too big …`.
    let reason: String
    /// It was the request's first line: URI Too Long, HTTP Version Not Supported. For a 400 there is no way to know.
    let isOfLine: Bool

    init?(log: String) {
        guard log.hasPrefix("Error processing request"), let start = log.firstRange(of: "code is ")?.upperBound else { return nil }
        let status = log[start...].prefix { $0.isNumber }
        isOfLine = status == "414" || status == "505"
        let page = log.firstRange(of: "<body>").map { log[$0.upperBound...] } ?? ""
        let sentence = page[..<(page.firstRange(of: "</body>")?.lowerBound ?? page.endIndex)]
        reason = sentence.isEmpty ? String(status) : "\(status): " + sentence.replacing("<b>", with: "").replacing("</b>", with: "")
    }
}
