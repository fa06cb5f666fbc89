extension Collection<UInt8> {
    /// Whether two are the same bytes. For those of one length it takes equally long wherever they differ, so that nobody finds out a secret by measuring.
    package func isSame(as other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for (mine, theirs) in zip(self, other) { difference |= mine ^ theirs }
        return difference == 0
    }
}

extension StringProtocol {
    /// Whether two texts are the same bytes. Swift's `==` takes canonically equivalent texts for the same: `SECRET\u{212A}` (KELVIN SIGN) for
    /// `SECRETK`. Standards compare octets: client ids, redirect URIs, scopes, secrets.
    public func isSame(as other: some StringProtocol) -> Bool { utf8.isSame(as: other.utf8) }
}

extension String {
    /// ``isSame(as:)`` of any two texts, for those that nearly all are.
    public func isSame(as other: String) -> Bool {
        var (a, b) = (self, other)
        return a.withUTF8 { a in b.withUTF8 { b in a.isSame(as: b) } }
    }
}

extension Sequence where Element: StringProtocol {
    /// Whether one of them is the same bytes as `text`.
    public func containsSame(as text: some StringProtocol) -> Bool { contains { $0.isSame(as: text) } }
}
