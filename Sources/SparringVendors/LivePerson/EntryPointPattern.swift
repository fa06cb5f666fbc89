/// An entry point in which `*` stands for any text, also none: `sec://Sport*`. All else must be there, letter by letter.
struct EntryPointPattern: Sendable {
    let text: String
    /// What stands between the stars.
    private let parts: [[UInt8]]

    init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { Array($0) }
    }

    /// Whether the pattern asks for nothing.
    var isAny: Bool { parts.count > 1 && parts.allSatisfy(\.isEmpty) }

    func matches(_ entryPoint: String) -> Bool {
        var rest = Array(entryPoint.utf8)[...]
        guard let first = parts.first, rest.starts(with: first) else { return false }
        guard let last = parts.dropFirst().last else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return false }
        rest = rest.dropLast(last.count)
        // Taking each part where it first stands leaves the most for those that follow.
        for part in parts.dropFirst().dropLast() {
            guard let end = Self.end(of: part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    private static func end(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while rest.count >= part.count {
            if rest.starts(with: part) { return rest.startIndex + part.count }
            rest = rest.dropFirst()
        }
        return nil
    }
}
