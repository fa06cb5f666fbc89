/// An effect in the text form: its word, its parameters, and when it can strike what. The list of them is the whole vocabulary
/// beyond the refusals and vendors' own effects, which the contracts declare.
struct FaultForm: Sendable {
    let word: String
    let summary: String
    /// Those that go together in one text, such as `from=1s to=3s`.
    let parameters: [String]
    /// The usual phase first.
    let phases: [FaultPoint.Kind: [Fault.Phase]]
    let read: @Sendable (inout FaultParameters) throws(FaultRefused) -> Fault.Effect

    static func of(_ effect: Fault.Effect) -> FaultForm? { byWord[effect.word] }
    static func of(_ word: String) -> FaultForm? { byWord[word] }
    private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })

    /// Before anything is decided, or in place of the answer.
    private static let atEnd: [Fault.Phase] = [.onRequestEnd, .onResponseStart]
    private static let beforeBytes: [Fault.Phase] = [.onRequestEnd, .onRequestStart, .onRequestBody, .onResponseStart]
    private static let ofUpgrade: [Fault.Phase] = [.onRequestEnd, .onRequestStart, .onResponseStart]
    private static let ofEnding: [Fault.Phase] = [.onRequestEnd, .onResponseStart, .onResponseEnd]
    private static let ofSent: [FaultPoint.Kind: [Fault.Phase]] = [.message: [.onResponseStart], .notification: [.onResponseStart]]
    private static let ofSocket: [FaultPoint.Kind: [Fault.Phase]] = [
        .upgrade: ofEnding, .message: ofEnding, .notification: [.onResponseStart],
    ]
    private static let endingParameters = ["after-frames=3", "after=30s"]

    static let all: [FaultForm] = [
        FaultForm(
            word: "status", summary: "a bare status, such as a gateway's",
            parameters: [
                "code=503", "retry-after=30s", "type=text/html", #"body="Bad Gateway""#, "location=https://login.example/",
                #"set-header:Set-Cookie="a=b; Path=/""#,
            ],
            phases: [.call: atEnd, .upgrade: atEnd]
        ) { p throws(FaultRefused) in .status(try p.status()) },
        FaultForm(
            word: "delay", summary: "waits in sandbox time: fixed, uniformly random, or lognormal",
            parameters: ["by=2s", "from=1s to=3s", "median=300ms sigma=0.5"],
            phases: [
                .call: [.onRequestEnd, .onRequestStart, .onRequestBody, .onResponseStart, .onResponseBody],
                .upgrade: ofUpgrade, .message: atEnd, .notification: [.onResponseStart],
            ]
        ) { p throws(FaultRefused) in .delay(try p.delay()) },
        FaultForm(
            word: "malformed-json", summary: "half of the body, with a length that fits", parameters: [],
            phases: [.call: [.onResponseStart]]
        ) { _ in .alteration(.malformedJSON) },
        FaultForm(
            word: "wrong-content-type", summary: "the same bytes under another content type", parameters: ["type=text/html"],
            phases: [.call: [.onResponseStart]]
        ) { p throws(FaultRefused) in .alteration(.wrongContentType(p.text("type") ?? "text/html")) },
        FaultForm(word: "empty-body", summary: "status and headers, and no body", parameters: [], phases: [.call: [.onResponseStart]]) {
            _ in
            .alteration(.emptyBody)
        },
        FaultForm(
            word: "CONNECTION_RESET_BY_PEER", summary: "a true RST: the client reads ECONNRESET", parameters: [],
            phases: [
                .call: beforeBytes + [.onResponseBody, .onResponseEnd], .upgrade: ofUpgrade, .message: ofEnding,
                .notification: [.onResponseStart],
            ]
        ) { _ in .cut(.reset) },
        FaultForm(
            word: "EMPTY_RESPONSE", summary: "the connection closes without a byte", parameters: [],
            phases: [.call: beforeBytes, .upgrade: ofUpgrade, .message: atEnd]
        ) { _ in .cut(.emptyResponse) },
        FaultForm(
            word: "MALFORMED_RESPONSE_CHUNK", summary: "a chunked answer continues with an invalid chunk, then closes", parameters: [],
            phases: [.call: [.onResponseBody, .onRequestEnd]]
        ) { _ in .cut(.malformedChunk) },
        FaultForm(
            word: "RANDOM_DATA_THEN_CLOSE", summary: "bytes that are not HTTP, then closes", parameters: ["bytes=64"],
            phases: [.call: beforeBytes, .upgrade: ofUpgrade]
        ) { p throws(FaultRefused) in .cut(.randomData(count: try p.number("bytes", 1...65_536) ?? 64)) },
        FaultForm(
            word: "STALL", summary: "nothing more arrives, and the connection stays open", parameters: [],
            phases: [.call: beforeBytes + [.onResponseBody], .upgrade: ofUpgrade]
        ) { _ in .cut(.stall) },
        FaultForm(
            word: "truncate", summary: "fewer bytes than announced; of a socket's message, a part of it", parameters: ["bytes=100"],
            phases: [.call: [.onResponseBody], .message: [.onResponseStart], .notification: [.onResponseStart]]
        ) { p throws(FaultRefused) in .cut(.truncate(bytes: try p.number("bytes", 0...1 << 30))) },
        FaultForm(
            word: "slicer", summary: "the body in slices, with a gap of wall time after each",
            parameters: ["size=16", "gap=50ms"], phases: [.call: [.onResponseBody]]
        ) { p throws(FaultRefused) in .pace(try p.slices()) },
        FaultForm(
            word: "bandwidth", summary: "the body at this many bytes per second of wall time", parameters: ["rate=1024"],
            phases: [.call: [.onResponseBody]]
        ) { p throws(FaultRefused) in .pace(.bandwidth(bytesPerSecond: try p.required("rate", 1...1 << 40))) },
        FaultForm(
            word: "DISCONNECT_AT_END", summary: "closed after a whole answer that did not announce it", parameters: [],
            phases: [.call: [.onResponseEnd]]
        ) { _ in .cut(.disconnectAtEnd) },
        FaultForm(
            word: "close", summary: "the socket is closed, with a code or without one",
            parameters: ["code=1011", #"reason="try later""#] + endingParameters, phases: ofSocket
        ) { p throws(FaultRefused) in .ending(try p.ending(.close(code: try p.closeCode(), reason: p.text("reason") ?? ""))) },
        FaultForm(
            word: "abort", summary: "TCP ends without a close frame: the client sees 1006", parameters: endingParameters, phases: ofSocket
        ) {
            p throws(FaultRefused) in .ending(try p.ending(.abort))
        },
        FaultForm(
            word: "freeze", summary: "nothing is read, answered or sent any more, no pong either; TCP stays up",
            parameters: endingParameters,
            phases: ofSocket
        ) { p throws(FaultRefused) in .ending(try p.ending(.freeze)) },
        FaultForm(
            word: "drop", summary: "a message is lost on its way", parameters: [],
            phases: [.message: [.onResponseStart, .onRequestEnd], .notification: [.onResponseStart]]
        ) { _ in .message(.drop) },
        FaultForm(word: "duplicate", summary: "a message arrives twice", parameters: [], phases: ofSent) { _ in .message(.duplicate) },
        FaultForm(word: "reorder", summary: "a message arrives after the next", parameters: [], phases: ofSent) { _ in .message(.reorder) },
        FaultForm(word: "corrupt", summary: "a message with a byte that is not UTF-8", parameters: [], phases: ofSent) { _ in
            .message(.corrupt)
        },
    ]
}
