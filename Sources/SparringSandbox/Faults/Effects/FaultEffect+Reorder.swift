extension FaultEffect {
    static let reorder = FaultEffect("reorder", "a message arrives after the next", at: .sentMessages) { _, all in
        all.messageChanges.append(MessageChange(words: "sent after the next") { $0.isLate = true })
    }
}
