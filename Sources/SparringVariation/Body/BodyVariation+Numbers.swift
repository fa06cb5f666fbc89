import SparringContract
import SparringJSON

/// Larger integers, and numbers that are written as texts.
extension BodyVariation {
    /// Nil where it stays as it is.
    mutating func varied(_ number: Int64, _ view: SchemaView, _ place: String) -> JSON? {
        if let larger = larger(number, view, place) { return .integer(larger) }
        if view.use != .steers, pick(.numberSpelling, place, of: 1, "\(number) → \"\(number)\"") != nil { return .string(String(number)) }
        return nil
    }

    private mutating func larger(_ number: Int64, _ view: SchemaView, _ place: String) -> Int64? {
        switch view.use {
        case .opaque:
            guard let larger = TakenBack.larger(number), view.accepts(.integer(larger)) else { return nil }
            // All or none: what is counted from one to the next must not jump.
            guard let pick = subject.pick(.integers, everywhere: "integers", of: 1) else { return nil }
            note(pick, at: place, "\(number) → \(larger)")
            return larger
        case .shown:
            let larger = Self.large.filter { view.accepts(.integer($0)) }
            guard !larger.isEmpty, let pick = subject.pick(.integers, place, of: larger.count) else { return nil }
            note(pick, at: place, "\(number) → \(larger[pick.index])")
            return larger[pick.index]
        case .steers, nil: return nil
        }
    }

    /// One more than 32 bits hold with a sign and without, and the largest that every JSON reader takes (RFC 8259 §6).
    private static let large: [Int64] = [1 << 31, 1 << 32, (1 << 53) - 1]
}
