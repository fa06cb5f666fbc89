import HTTPTypes

/// How an answer is written that means the same as one in the usual form (RFC 9110 §5, RFC 9112 §6 and §7).
package struct AnswerForm: Sendable {
    package enum Names: Sendable {
        case lowerCase, upperCase
    }

    package enum Framing: Sendable {
        /// Content-Length.
        case length
        /// Chunks of so many bytes at most. None is followed by a trailer: a sender should know that its recipient looks at one (RFC 9110 §6.5.1).
        case chunks(Int, hasExtensions: Bool)
    }

    /// The case of header names; nil: they stay as they are.
    package var names: Names?
    /// Header fields come in reverse order.
    package var isReversed = false
    package var framing = Framing.length
    /// After so many bytes of the body there is a pause; in order, none twice.
    package var pauses: [Int] = []

    package init() {}

    /// The pieces of an answer, with a pause between two of them.
    ///
    /// - Parameters:
    ///   - head: lines without their ends, the first of them the status line; without the body's length.
    ///   - hasBody: false for an answer that never has one: nothing is said of its length (RFC 9110 §8.6).
    func written(_ head: [(name: String, value: String)], status: String, _ body: [UInt8], hasBody: Bool) -> [[UInt8]] {
        var fields = head
        switch framing {
        case _ where !hasBody: break
        case .length: fields.append(("Content-Length", String(body.count)))
        case .chunks: fields.append(("Transfer-Encoding", "chunked"))
        }
        if isReversed { fields.reverse() }
        var text = status + "\r\n"
        for (name, value) in fields {
            text += (names == .lowerCase ? name.lowercased() : names == .upperCase ? name.uppercased() : name) + ": \(value)\r\n"
        }
        let head = Array((text + "\r\n").utf8)
        guard hasBody else { return [head] }
        if case .chunks(let size, let hasExtensions) = framing { return [head + Self.chunked(body, size, hasExtensions)] }
        var pieces = [head]
        var place = 0
        for pause in pauses.filter({ (1..<body.count).contains($0) }) + [body.count] {
            pieces[pieces.count - 1] += body[place..<pause]
            if pause < body.count { pieces.append([]) }
            place = pause
        }
        return pieces
    }

    private static func chunked(_ body: [UInt8], _ size: Int, _ hasExtensions: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(max(1, size))
            rest = rest.dropFirst(chunk.count)
            bytes +=
                Array((String(chunk.count, radix: 16) + (hasExtensions ? ";sparring=7f3" : "") + "\r\n").utf8) + chunk + Array("\r\n".utf8)
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }
}
