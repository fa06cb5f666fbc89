// What a stranger has sent stands in errors, causes and findings, and may be a megabyte long.

extension StringProtocol {
    /// The text in single quotes, for a message: its beginning where it is long.
    public var quoted: String { "'\(abbreviated(to: 100))'" }

    /// At most this many code points, the last of them an ellipsis where more followed. By code points: one `Character` may be a megabyte of accents.
    public func abbreviated(to limit: Int) -> String {
        // A text has at most as many code points as bytes.
        guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else {
            return String(self)
        }
        return String(self[..<unicodeScalars.index(before: end)]) + "…"
    }
}

extension JSON {
    /// The value for a message: a string in single quotes, anything else as JSON; its beginning where it is long.
    public var quoted: String { string?.quoted ?? text.abbreviated(to: 100) }
}
