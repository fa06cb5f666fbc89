extension FaultEffect {
    static let duplicate = FaultEffect("duplicate", "a message arrives twice", at: .sentMessages) { _, all in
        all.messageChanges.append(
            MessageChange(words: "sent twice") { $0.texts += $0.texts.prefix(max(0, MessageChange.Copies.most - $0.texts.count)) })
    }
}
