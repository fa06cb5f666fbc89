import SparringJournal

extension FaultEffect {
    static let drop = FaultEffect(
        "drop", "a message is lost on its way", at: [.message: [.onResponseStart, .onRequestEnd], .notification: [.onResponseStart]]
    ) { strike, all in
        if strike.phase == .onRequestEnd { return all.lostBy = all.lostBy ?? strike.number }
        all.messageChanges.append(MessageChange(words: "lost on its way", received: .nothing) { $0.texts = [] })
    }
}
