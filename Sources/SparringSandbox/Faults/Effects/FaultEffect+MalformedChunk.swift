extension FaultEffect {
    static let malformedChunk = FaultEffect(
        "MALFORMED_RESPONSE_CHUNK", "a chunked answer continues with an invalid chunk, then closes",
        at: [.call: [.onResponseBody, .onRequestEnd]]
    ) { strike, all in all.cut(strike, .malformedChunk, words: "a malformed chunk, then closed") }
}
