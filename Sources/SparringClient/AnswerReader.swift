import HTTPTypes
import SparringJSON

/// Reads one HTTP/1.1 answer from the bytes of a connection that is to become something else (RFC 9112).
struct AnswerReader {
    struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
    }

    /// Nil until it is whole.
    private(set) var answer: Answer?
    /// The bytes that followed it.
    private(set) var rest: [UInt8] = []
    private var bytes: [UInt8] = []
    private var head: (answer: Answer, length: Int)?
    private var hasEnded = false

    private static let headEnd = Array("\r\n\r\n".utf8)

    mutating func take(_ more: [UInt8]) {
        bytes += more
        read()
    }

    /// Nothing more comes.
    mutating func end() {
        hasEnded = true
        read()
    }

    private mutating func read() {
        guard answer == nil else { return }
        if head == nil, let end = bytes.firstRange(of: Self.headEnd) {
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
            head = Self.head(lines).map { ($0, end.upperBound) }
        }
        guard let head else { return }
        let body = bytes[head.length...]
        // Neither has a body (RFC 9110 §6.4.1); after 101 another protocol begins.
        if head.answer.status == 101 || head.answer.status == 204 || head.answer.status == 304 { return finish(0, head.length) }
        if head.answer.headers[.transferEncoding]?.lowercased().hasSuffix("chunked") == true {
            guard let whole = Self.unchunked(body) else { return }
            answer = head.answer
            answer?.body = whole
        } else if let length = head.answer.headers[.contentLength].flatMap({ $0.integer(in: 0...(1 << 30)) }) {
            if body.count >= length || hasEnded { finish(min(length, body.count), head.length) }
        } else if hasEnded {
            finish(body.count, head.length)
        }
    }

    private mutating func finish(_ length: Int, _ start: Int) {
        answer = head?.answer
        answer?.body = Array(bytes[start..<start + length])
        rest = Array(bytes[(start + length)...])
    }

    private static func head(_ lines: [String]) -> Answer? {
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = String(words[1]).integer(in: 100...599) else { return nil }
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
            headers.append(HTTPField(name: name, value: String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })))
        }
        return Answer(status: status, headers: headers, body: [])
    }

    /// RFC 9112 §7.1; nil until the last chunk is there.
    private static func unchunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var (rest, body) = (bytes, [UInt8]())
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            let line = String(decoding: rest[..<end.lowerBound].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let size = Int(line.filter { $0 != " " }, radix: 16), size >= 0 else { return nil }
            if size == 0 { return body }
            guard rest.endIndex - end.upperBound >= size + 2 else { return nil }
            body += rest[end.upperBound..<end.upperBound + size]
            rest = rest[(end.upperBound + size + 2)...]
        }
        return nil
    }
}
