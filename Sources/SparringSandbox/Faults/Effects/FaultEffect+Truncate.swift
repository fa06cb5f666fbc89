import SparringJournal

extension FaultEffect {
    static let truncate = FaultEffect(
        "truncate", "fewer bytes than announced; of a socket's message, a part of it",
        at: [.call: [.onResponseBody], .message: [.onResponseStart], .notification: [.onResponseStart]],
        [
            .init("bytes", .number(0...1 << 30), "Bytes of `truncate`, half of them by default.", example: "100")
        ]
    ) { given in
        let bytes: Int? = given["bytes"]
        return { strike, all in
            guard strike.phase == .onResponseStart else { return all.cut(strike, .close, after: bytes, words: "truncated") }
            all.messageChanges.append(
                MessageChange(words: "cut short", received: .unusable) { copies in
                    copies.texts = copies.texts.map { Array($0.prefix(bytes ?? $0.count / 2)) }
                })
        }
    }
}
