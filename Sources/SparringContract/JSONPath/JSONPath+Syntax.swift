internal import SparringJSON

/// The parts of a query (RFC 9535 §2).
extension JSONPath {
    /// A step of a query (RFC 9535 §2.5).
    struct Segment: Sendable {
        /// `..`: it is applied to the value and to all that is inside it.
        var isDescendant = false
        var selectors: [Selector]
    }

    /// RFC 9535 §2.3.
    enum Selector: Sendable {
        case name(String)
        case wildcard
        /// Counted from the end if negative.
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        indirect case filter(Condition)
    }

    /// A query inside a filter.
    struct FilterQuery: Sendable {
        /// `@`, not `$`.
        var isRelative: Bool
        var segments: [Segment]

        /// It selects one value at most (RFC 9535 §2.3.5.1).
        var isSingular: Bool {
            segments.allSatisfy { segment in
                guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
                return switch segment.selectors[0] {
                case .name, .index: true
                case .wildcard, .slice, .filter: false
                }
            }
        }
    }

    /// A logical expression (RFC 9535 §2.3.5.1).
    indirect enum Condition: Sendable {
        case either([Condition])
        case all([Condition])
        case not(Condition)
        case exists(FilterQuery)
        case compare(Operand, Comparison, Operand)
        /// `match` and `search`.
        case matches(Operand, Operand, isWhole: Bool)
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    /// An operand with one value, or none.
    indirect enum Operand: Sendable {
        case literal(JSON)
        case query(FilterQuery)
        case length(Operand)
        case count(FilterQuery)
        case value(FilterQuery)
    }
}
