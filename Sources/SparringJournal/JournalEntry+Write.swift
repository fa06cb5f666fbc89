import Crypto
import HTTPTypes
package import SparringJSON

extension JournalEntry {
    /// Writes the entry as JSON, as the admin API shows it and the store keeps it, in the place of what the buffer holds.
    ///
    /// - Parameter number: the one that it gets.
    package func write(as number: Int, to buffer: inout ByteBuffer) {
        var out = JSONWriter(buffer)
        out.member("number", number)
        out.member("kind", kind.rawValue)
        out.member("operation", operation)
        out.member("lane", lane)
        out.member("ordinal", ordinal)
        out.member("cause", cause?.words)
        out.member("causeCode", cause?.code)
        out.member("causedBy", causedBy?.json)
        out.member("sandboxTime") { sandboxTime.write(to: &$0) }
        out.member("began", began?.description)
        out.member("ended", ended?.description)
        out.object("arrival") { out in
            out.member("wall") { Timestamp(milliseconds: arrival.wall / 1_000_000).write(to: &$0) }
            out.member("monotonic", arrival.monotonic)
            out.member("process", arrival.process)
            out.member("answered", answered.map { Int($0) })
            out.member("delayed", arrival.delayed > 0 ? Int(arrival.delayed) : nil)
            out.member("busy", arrival.busy > 0 ? Int(arrival.busy) : nil)
            out.member("opening", arrival.opening > 0 ? Int(arrival.opening) : nil)
        }
        if let request {
            out.object("request") { out in
                out.member("method", request.method)
                out.member("target", request.target)
                Self.write(request.headers, to: &out)
                Self.write(body: request.body, to: &out)
                out.member("connection", request.connection)
                out.member("tls", request.tls)
                out.member("alpn", request.alpn)
            }
        }
        if let answer {
            out.object("answer") { out in
                out.member("name", answer.name)
                out.member("status", answer.status)
                out.member("outcome", answer.outcome)
                Self.write(answer.headers, to: &out)
                Self.write(body: answer.body, to: &out)
                out.member("delivery", answer.delivery)
                out.member("received", answer.received?.rawValue)
            }
        }
        if !findings.isEmpty { out.member("findings", .array(findings.map(\.json))) }
        if !faults.isEmpty { out.member("faults", .array(faults.map { .integer(Int64($0)) })) }
        if !effects.isEmpty { out.member("effects", .array(effects.map { .string($0) })) }
        if !varied.isEmpty { out.member("varied", .array(varied.map(\.json))) }
        out.member("details", details)
        buffer = out.finish()
    }

    /// A field that came several times is one member, its values joined as RFC 9110 §5.3 allows.
    private static func write(_ headers: HTTPFields, to out: inout JSONWriter) {
        out.object("headers") { out in
            for (index, header) in headers.enumerated() {
                let name = header.name.rawName
                if headers[..<index].contains(where: { $0.name.rawName == name }) { continue }
                let isOnce = !headers[(index + 1)...].contains { $0.name.rawName == name }
                let all = isOnce ? header.value : headers[index...].filter { $0.name.rawName == name }.map(\.value).joined(separator: ", ")
                out.field(name, all)
            }
        }
    }

    /// UTF-8 as text, anything else in hexadecimal under another name. Of what is long, such as a picture, only the beginning, and the
    /// whole's size and digest: nothing else is committed while an entry is being written.
    private static func write(body: [UInt8], to out: inout JSONWriter) {
        if body.isEmpty { return }
        let shown = body.count <= textLimit ? body.count : wholeCharacters(of: body, atMost: textBeginning)
        let isText = (try? UTF8Span(validating: body.span.extracting(first: shown))) != nil
        let isWhole = body.count <= (isText ? textLimit : hexLimit)
        if isText {
            body.withUnsafeBufferPointer { out.member("body", utf8: UnsafeBufferPointer(rebasing: $0[..<shown])) }
        } else {
            out.member("bodyHex", (isWhole ? body[...] : body.prefix(64)).hex)
        }
        if isWhole { return }
        out.member("bodySize", body.count)
        out.member("bodySHA256", SHA256.hash(data: body).hex)
    }

    private static let textLimit = 256 << 10
    private static let textBeginning = 4 << 10
    private static let hexLimit = 1 << 10

    /// Bytes of the first characters of a long text (RFC 3629 §3).
    private static func wholeCharacters(of body: [UInt8], atMost limit: Int) -> Int {
        var count = limit
        while count > 0, body[count] & 0xC0 == 0x80 { count -= 1 }
        return count
    }

    /// The bytes of a body that is written in hexadecimal.
    package static func bytes(ofHex text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
