import Foundation
import SparringJSON

/// The one range that a Range field asks for (RFC 9110 §14.1.2).
enum ByteRange: Equatable {
    case from(Int, through: Int?)
    case last(Int)

    /// Reads a field. The result is nil if the field must be ignored (RFC 9110 §14.2): its unit is not bytes, it asks for several ranges, or it is
    /// malformed.
    init?(_ field: String) {
        let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
        let ranges = halves[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard ranges.count == 1 else { return nil }
        let ends = ranges[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Self.position(ends[0]), Self.position(ends[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    /// The requested bytes; empty if the range is satisfiable, but the file is too short to have a byte of it. Nil if the range is not satisfiable
    /// (RFC 9110 §14.1.1).
    ///
    /// - Parameter size: of the file, in bytes.
    func bytes(of size: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last): first < size ? first..<min(last ?? size - 1, size - 1) + 1 : nil
        case .last(let count): count > 0 ? size - min(count, size)..<size : nil
        }
    }

    /// The position in decimal digits; one that is too large for an `Int` becomes the largest.
    private static func position(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.integer(in: 0...Int.max) ?? .max
    }
}
