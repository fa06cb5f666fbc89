extension Judgement {
    /// Chains and evidence that are kept of one rule.
    static let limit = 20

    /// The failed ones before the good, the earlier before the later.
    mutating func keep(_ chain: RetryChain) {
        if chains.count < Self.limit {
            chains.append(chain)
        } else if !chain.isGood, let place = chains.lastIndex(where: \.isGood) {
            chains.remove(at: place)
            chains.append(chain)
        }
    }
}
