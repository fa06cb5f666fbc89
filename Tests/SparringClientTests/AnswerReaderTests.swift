import Testing

@testable import SparringClient

/// One answer on a connection that is to become a WebSocket.
@Suite struct AnswerReaderTests {
    @Test(
        arguments: [
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}", false, 101, "", "\u{1}\u{2}"),
            ("HTTP/1.1 401 No\r\nContent-Length: 5\r\n\r\nno wayX", false, 401, "no wa", "yX"),
            ("HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n1\r\nd\r\n0\r\n\r\n", false, 401, "abcd", ""),
            ("HTTP/1.1 502 Bad\r\n\r\nuntil the end", true, 502, "until the end", ""),
            ("HTTP/1.1 204 Nothing\r\n\r\n", false, 204, "", ""),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", true, 200, "short", ""),
        ] as [(String, Bool, Int, String, String)])
    func `it is whole where its head says so`(_ text: String, _ ends: Bool, _ status: Int, _ body: String, _ rest: String) {
        for size in [1, 3, 1000] {
            var reader = AnswerReader()
            var (bytes, after) = (Array(text.utf8)[...], [UInt8]())
            while !bytes.isEmpty {
                let piece = Array(bytes.prefix(size))
                bytes = bytes.dropFirst(size)
                if reader.answer == nil { reader.take(piece) } else { after += piece }
            }
            if ends {
                #expect(reader.answer == nil)
                reader.end()
            }
            #expect(reader.answer?.status == status && reader.answer.map { String(decoding: $0.body, as: UTF8.self) } == body, "\(size)")
            // Of a chunked one nothing is looked for behind its end.
            if !text.contains("chunked") { #expect(String(decoding: reader.rest + after, as: UTF8.self) == rest, "\(size)") }
        }
    }

    @Test(arguments: ["220 mail.example\r\n\r\n", "HTTP/1.1 x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
    func `what is no answer, or not all of one, is none`(_ text: String) {
        var reader = AnswerReader()
        reader.take(Array(text.utf8))
        #expect(reader.answer == nil)
    }
}
