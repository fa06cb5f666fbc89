import SparringJournal

extension FaultEffect {
    static let corrupt = FaultEffect("corrupt", "a message with a byte that is not UTF-8", at: .sentMessages) { strike, all in
        let place = strike.draw("byte").fraction
        all.messageChanges.append(
            MessageChange(words: "one byte is no UTF-8", received: .unusable) { copies in
                // A byte that stands in no UTF-8 (RFC 3629 §3): the client must close with 1007 (RFC 6455 §8.1).
                for index in copies.texts.indices where !copies.texts[index].isEmpty {
                    copies.texts[index][Int(place * Double(copies.texts[index].count))] = 0xFF
                }
            })
    }
}
