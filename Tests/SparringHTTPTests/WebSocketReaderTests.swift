import Testing

@testable import SparringHTTP

/// A client's frames, read from bytes that come in pieces of any size. What is wrong with frames is in Tests/peers/websocket_cases.py.
@Suite struct WebSocketReaderTests {
    private static let sizes = [0, 1, 7, 8, 9, 125, 126, 127, 300, 65_535, 65_536, 70_001]

    /// Text in fragments, with pings in between; then a close frame.
    private static let frames: [WireFrame] =
        sizes.flatMap { size -> [WireFrame] in
            let text = Array(String(repeating: "aé€🙂", count: size / 10 + 1).utf8)
            let cut = text.count / 3
            return [
                WireFrame(0x82, (0..<size).map { UInt8(truncatingIfNeeded: $0) }), WireFrame(0x01, text[..<cut]),
                WireFrame(0x89, "\(size)".utf8),
                WireFrame(0x00, text[cut..<2 * cut]), WireFrame(0x8A, []), WireFrame(0x80, text[(2 * cut)...]), WireFrame(0x81, text),
            ]
        } + [WireFrame.close(4000, "enough")]

    private static let expected: [WebSocketReader.Received] =
        sizes.flatMap { size -> [WebSocketReader.Received] in
            let text = Array(String(repeating: "aé€🙂", count: size / 10 + 1).utf8)
            return [
                .binary((0..<size).map { UInt8(truncatingIfNeeded: $0) }), .ping(Array("\(size)".utf8)), .pong, .text(text), .text(text),
            ]
        } + [.close([0x0F, 0xA0] + Array("enough".utf8))]

    @Test(arguments: [1, 2, 3, 5, 8, 13, 1000, 16 << 10, .max]) func `frames are the same in pieces of any size`(_ size: Int) throws {
        var reader = WebSocketReader(messageLimit: 1 << 20)
        var received: [WebSocketReader.Received] = []
        let bytes = Self.frames.flatMap { $0.bytes }
        try bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                var piece = UnsafeRawBufferPointer(rebasing: bytes[place..<min(bytes.count, size == .max ? .max : place + size)])
                place += piece.count
                while let next = try reader.next(&piece) { received.append(next) }
                #expect(piece.isEmpty)
            }
        }
        #expect(received.count == Self.expected.count)
        #expect(received == Self.expected)
    }

    @Test func `text that goes wrong is refused before its frame has ended`() {
        var reader = WebSocketReader(messageLimit: 1 << 20)
        let begun = WireFrame(0x81, Array("good, then ".utf8) + [0xFF] + Array(repeating: 0x20, count: 1000)).bytes.prefix(30)
        #expect(throws: WebSocketViolation.invalidUTF8("the text is not UTF-8 (RFC 6455 §8.1)")) {
            try Array(begun).withUnsafeBytes { bytes in
                var piece = bytes
                _ = try reader.next(&piece)
            }
        }
    }

    @Test(arguments: [0, 125, 126, 65_535, 65_536, 100_000]) func `what is sent is in one frame, its length in the fewest bytes`(
        _ count: Int
    ) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var bytes: [UInt8] = []
        WebSocketOpcode.text.appendFrame(of: payload, to: &bytes)
        WebSocketOpcode.pong.appendFrame(of: [], to: &bytes)
        #expect(bytes == WireFrame(0x81, payload).unmasked + WireFrame(0x8A, []).unmasked)
    }
}
