extension FaultEffect {
    static let connectionReset = FaultEffect(
        "CONNECTION_RESET_BY_PEER", "a true RST: the client reads ECONNRESET",
        at: [
            .call: .beforeBytes + [.onResponseBody, .onResponseEnd], .upgrade: .ofUpgrade, .message: .ofEnding,
            .notification: [.onResponseStart],
        ]
    ) { strike, all in all.cut(strike, .reset, words: "reset") }
}
