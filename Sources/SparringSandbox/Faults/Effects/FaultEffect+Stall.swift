extension FaultEffect {
    static let stall = FaultEffect(
        "STALL", "nothing more arrives, and the connection stays open",
        at: [.call: .beforeBytes + [.onResponseBody], .upgrade: .ofUpgrade]
    ) { strike, all in all.cut(strike, .stall, words: "stalled") }
}
