extension String {
    /// The credential after the scheme of an Authorization header (RFC 9110 §11.4).
    public var credential: String { split(separator: " ", maxSplits: 1).last.map { String($0.drop { $0 == " " }) } ?? "" }
}
