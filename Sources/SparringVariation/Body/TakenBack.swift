import SparringJSON

/// Ids, tokens and numbers that clients were sent in another spelling, as they come back: each says by itself what it stands for.
package enum TakenBack {
    // MARK: Texts

    /// Stands behind the id; then come hexadecimal digits and the end.
    private static let mark = Array("_sparring".utf8)
    private static let end = UInt8(ascii: "z")

    /// A longer text that stands for the same.
    ///
    /// - Parameters:
    ///   - count: characters beyond those that every such text is longer by.
    ///   - word: hexadecimal digits.
    static func longer(_ text: String, by count: Int, _ word: String) -> String {
        let filling = String(repeating: "7f3", count: count / 3 + 1).prefix(count)
        return "\(text)_sparring\(word)\(filling)z"
    }

    /// The number of characters that every longer text adds at least: the mark, three digits, the end.
    static let least = 13

    // MARK: Numbers

    /// Added to numbers below a million millions: what comes of it has more than 32 bits and less than the 53 that every JSON reader has (RFC 8259 §6).
    static let addition: Int64 = 9_007_000_000_000_000
    private static let limit: Int64 = 1_000_000_000_000

    /// Nil for one that would not be recognised when it comes back.
    static func larger(_ number: Int64) -> Int64? { (0..<limit).contains(number) ? number + addition : nil }

    // MARK: Back

    /// The client's bytes with the ids and numbers that Sparring gave out; nil: none of them was changed.
    ///
    /// - Parameter withNumbers: numbers are looked at, too.
    package static func restored(_ bytes: [UInt8], withNumbers: Bool) -> [UInt8]? {
        guard bytes.count >= least else { return nil }
        var result: [UInt8]?
        var place = 0
        var copied = 0
        func cut(_ end: Int, _ instead: ArraySlice<UInt8>, from start: Int) {
            result = (result ?? []) + bytes[copied..<start] + instead
            (copied, place) = (end, end)
        }
        while place < bytes.count {
            if bytes[place] == mark[0], let end = suffix(in: bytes, at: place) {
                cut(end, [], from: place)
            } else if withNumbers, bytes[place].isDigit, place == 0 || !bytes[place - 1].isDigit {
                let end = bytes[place...].firstIndex { !$0.isDigit } ?? bytes.count
                if end - place == 16, bytes[place...].starts(with: "9007".utf8) {
                    let digits = bytes[(place + 4)..<end].drop { $0 == UInt8(ascii: "0") }
                    cut(end, digits.isEmpty ? [UInt8(ascii: "0")] : digits, from: place)
                } else {
                    place = end
                }
            } else {
                place += 1
            }
        }
        return result.map { $0 + bytes[copied...] }
    }

    /// The end of a suffix that begins there; nil: none does.
    private static func suffix(in bytes: [UInt8], at start: Int) -> Int? {
        guard bytes[start...].starts(with: mark) else { return nil }
        let rest = bytes[(start + mark.count)...]
        guard let last = rest.firstIndex(where: { $0.hexadecimalValue == nil }), bytes[last] == end, last - rest.startIndex >= 3 else {
            return nil
        }
        return last + 1
    }
}
