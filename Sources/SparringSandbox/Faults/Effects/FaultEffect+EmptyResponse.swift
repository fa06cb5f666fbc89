extension FaultEffect {
    static let emptyResponse = FaultEffect(
        "EMPTY_RESPONSE", "the connection closes without a byte",
        at: [.call: .beforeBytes, .upgrade: .ofUpgrade, .message: .aroundDecision]
    ) { strike, all in all.cut(strike, .close, words: "closed without an answer") }
}
