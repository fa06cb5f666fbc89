import HTTPTypes
import SparringHTTP
import Support
import Testing

/// The life of a WebSocket on plain TCP.
@Suite struct WebSocketTests {
    @Test func `a handshake is answered as RFC 6455 has it, and messages come back`() async throws {
        let handler = ScriptedHandler.echoing()
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            client.send(RawClient.handshake())
            let answer = try await client.answer()
            #expect(answer.status == 101)
            #expect(answer["Upgrade"] == "websocket" && answer["Connection"]?.lowercased() == "upgrade")
            #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "RFC 6455 §1.3")
            #expect(answer["Sec-WebSocket-Protocol"] == nil && answer["Sec-WebSocket-Extensions"] == nil)
            client.send(.text("hello"))
            #expect(try await client.frame() == .text("hello"))
            client.send(.close(1000, "bye"))
            let (frames, end) = await client.rest()
            #expect(frames.map(\.closing) == ["1000"] && end == .closed)
            #expect(await handler.waits(forNote: "closed by client: 1000 bye (clean)"))
            #expect(handler.completions == [nil], "the exchange was completed with the 101")
        }
    }
}
