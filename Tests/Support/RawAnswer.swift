/// An HTTP/1 answer as it came over the wire, read by rules written here and nowhere else.
public struct RawAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    /// With chunking taken off.
    public var body: [UInt8]
    /// The sizes of the chunks it came in; empty where it was not chunked.
    public var chunks: [Int]

    public var text: String { String(decoding: body, as: UTF8.self) }

    public subscript(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    init?(parsing bytes: [UInt8], isHead: Bool, isWhole: Bool) {
        guard let (answer, _) = Self.parse(bytes, isHead: isHead, isWhole: isWhole) else { return nil }
        self = answer
    }

    private init(status: Int, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers
        body = []
        chunks = []
    }

    /// Nil while the answer is incomplete.
    ///
    /// - Parameter isWhole: the connection ended, so that a body without a length is complete.
    static func parse(_ bytes: [UInt8], isHead: Bool, isWhole: Bool) -> (RawAnswer, length: Int)? {
        guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<headEnd.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        var answer = RawAnswer(
            status: status,
            headers: lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? parts[1].drop { $0 == " " }.description : "")
            })
        let start = headEnd.upperBound
        if isHead || status == 204 || status == 304 || status / 100 == 1 { return (answer, start) }
        if answer["Transfer-Encoding"] == "chunked" { return answer.readChunks(bytes, from: start).map { (answer, $0) } }
        if let length = answer["Content-Length"].flatMap({ Int($0) }) {
            guard bytes.count >= start + length else { return nil }
            answer.body = Array(bytes[start..<start + length])
            return (answer, start + length)
        }
        guard isWhole else { return nil }
        answer.body = Array(bytes[start...])
        return (answer, bytes.count)
    }

    /// RFC 9112 §7.1, without trailers.
    private mutating func readChunks(_ bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while let lineEnd = bytes[place...].firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: bytes[place..<lineEnd.lowerBound], as: UTF8.self), radix: 16) else { return nil }
            let end = lineEnd.upperBound + size
            guard bytes.count >= end + 2 else { return nil }
            if size == 0 { return end + 2 }
            body += bytes[lineEnd.upperBound..<end]
            chunks.append(size)
            place = end + 2
        }
        return nil
    }
}
