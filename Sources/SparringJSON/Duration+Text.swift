// Durations come from a text, of ten years at most, or from two timestamps, of ten thousand: far from where Swift's operators on them trap,
// at some 5 × 10^12 years. Only a `Duration.seconds(_:)` of somebody's number could come near, which Tests/lint forbids.

extension Duration {
    /// Why a text is not a duration: `'10' has no unit; try 10s, 10m or PT10M`.
    public static func refusal(of text: String) -> String {
        if !text.isEmpty, text.utf8.count <= 20, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), Double(text) != nil {
            return "\(text.quoted) has no unit; try \(text)s, \(text)m or \(text)ms"
        }
        return "\(text.quoted) is not a duration such as 200ms, 31s, 10m or PT10M"
    }

    /// The longest that a text can ask for: ten years of 365 days.
    public static let longest: Duration = .milliseconds(315_360_000_000)

    /// Reads `200ms`, `2s`, `1.5s`, `10m`, `1h`, or the day and time part of an ISO 8601 duration such as `PT10M` or `P1DT2H`.
    /// Nil for anything else and for what is beyond ``longest``.
    public init?(text: String) {
        let milliseconds = text.hasPrefix("P") ? Self.iso(text.dropFirst()) : Self.short(text)
        guard let milliseconds, milliseconds >= 0, milliseconds <= Double(Self.longest.milliseconds) else { return nil }
        self = .milliseconds(Int64(clamped: milliseconds.rounded()))
    }

    /// Whole milliseconds; of more than 64 bits hold, as many as they hold.
    public var milliseconds: Int64 {
        // `components` traps beyond the seconds that 64 bits hold.
        guard self < .milliseconds(Int64.max) else { return .max }
        guard self > .milliseconds(Int64.min) else { return .min }
        return components.seconds.multipliedClamped(by: 1000).addingClamped(components.attoseconds / 1_000_000_000_000_000)
    }

    /// The duration as people read it: `250 ms`, `1.5 s`, `31 s`, `10 min`.
    public var words: String {
        let milliseconds = milliseconds
        switch milliseconds.magnitude {
        case ..<1000: return "\(milliseconds) ms"
        case ..<120_000: return (milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds / 100) / 10)") + " s"
        case ..<7_200_000: return "\(milliseconds / 60_000) min"
        case ..<172_800_000: return "\(milliseconds / 3_600_000) h"
        default: return "\(milliseconds / 86_400_000) days"
        }
    }

    /// The shortest of the texts ``init(text:)`` reads: `200ms`, `2s`, `10m`.
    public var shortText: String {
        let milliseconds = milliseconds
        if milliseconds == 0 || milliseconds % 1000 != 0 { return "\(milliseconds)ms" }
        if milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000)h" }
        if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
        return "\(milliseconds / 1000)s"
    }

    private static func short(_ text: String) -> Double? {
        for (unit, factor) in [("ms", 1.0), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)] where text.hasSuffix(unit) {
            return number(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }

    private static func iso(_ text: Substring) -> Double? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let date = sum(parts[0], [("W", 604_800_000), ("D", 86_400_000)]) else { return nil }
        guard parts.count == 2 else { return text.isEmpty ? nil : date }
        guard !parts[1].isEmpty, let time = sum(parts[1], [("H", 3_600_000), ("M", 60_000), ("S", 1000)]) else { return nil }
        return date + time
    }

    private static func sum(_ text: Substring, _ units: [(Character, Double)]) -> Double? {
        var rest = text
        var total = 0.0
        for (unit, factor) in units {
            guard let end = rest.firstIndex(of: unit) else { continue }
            guard let value = number(rest[..<end]) else { return nil }
            total += value * factor
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? total : nil
    }

    /// Digits with at most one point: no sign, no exponent.
    private static func number(_ text: some StringProtocol) -> Double? {
        guard let first = text.first, first.isASCII, first.isNumber, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
            return nil
        }
        return Double(String(text))
    }
}
