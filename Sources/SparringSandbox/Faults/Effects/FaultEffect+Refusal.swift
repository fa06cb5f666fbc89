extension FaultEffect {
    /// One of an operation's unhappy answers, by its name, in place of a decision.
    static func refusal(_ name: String) -> FaultEffect {
        FaultEffect(name, "the vendor refuses", at: .declared, isOffered: { $0.refusals.contains(name) }) { _ in
            { strike, all in all.replacement = all.replacement ?? (strike.number, .refusal(name)) }
        }
    }
}
