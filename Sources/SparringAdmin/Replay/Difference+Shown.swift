import SparringJournal

extension Difference {
    /// The vendor's value and Sparring's, in words that are kept and shown to others: without credentials.
    var shown: String {
        let (vendor, own) = (shown(recorded), shown(replayed))
        switch (kind, vendor, own) {
        case (.order, _, _): return "the vendor sends them in another order"
        case (.reference, let vendor?, let own?): return "the vendor has \(vendor), Sparring \(own), where ids seen before stood for others"
        case (_, let vendor, let own): return "the vendor has \(vendor ?? "nothing"), Sparring \(own ?? "nothing")"
        }
    }

    /// A short value may be under the name of a credential, and be an error's code.
    private func shown(_ value: String?) -> String? {
        let isNamed = place.tokens.last { $0 != "*" }.map(Redaction.hides) ?? false
        guard let value, isNamed, value.count > Self.longestCode else { return value.map(Redaction.withoutTokens) }
        return "a credential"
    }

    /// Characters of an error's code.
    static let longestCode = 16
}
