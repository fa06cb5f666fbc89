extension StringProtocol {
    /// Whether two texts are the same bytes. Swift's `==` takes canonically equivalent texts for the same: `SECRET\u{212A}` (KELVIN SIGN) for
    /// `SECRETK`. Standards compare octets: client ids, redirect URIs, scopes, secrets.
    ///
    /// For texts of one length it takes equally long wherever they differ, so that nobody finds out a secret by measuring.
    public func isSame(as other: some StringProtocol) -> Bool {
        let (mine, others) = (utf8, other.utf8)
        guard mine.count == others.count else { return false }
        return zip(mine, others).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

extension Sequence where Element: StringProtocol {
    /// Whether one of them is the same bytes as `text`.
    public func containsSame(as text: some StringProtocol) -> Bool { contains { $0.isSame(as: text) } }
}
