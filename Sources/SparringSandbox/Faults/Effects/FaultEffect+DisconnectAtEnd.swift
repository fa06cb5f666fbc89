extension FaultEffect {
    static let disconnectAtEnd = FaultEffect(
        "DISCONNECT_AT_END", "closed after a whole answer that did not announce it", at: [.call: [.onResponseEnd]]
    ) { strike, all in all.cut(strike, .close, words: "closed after the answer") }
}
