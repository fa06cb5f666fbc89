/// A part of an expression.
struct PatternNode: Sendable {
    indirect enum Kind: Sendable {
        case one(PatternSet)
        case assertion(PatternAssertion)
        case sequence([PatternNode])
        case choice([PatternNode])
        /// Without a maximum: any number.
        case repetition(PatternNode, minimum: Int, maximum: Int?)
    }

    let kind: Kind
    /// How many states it takes, itself and what it holds. No larger than ``tooMany``, so that it can always be calculated with.
    let states: Int

    /// Far above any limit; its product with another still fits into an `Int`.
    static let tooMany = 1 << 24

    static let empty = sequence([])
    var isEmpty: Bool { states == 0 }

    static func one(_ set: PatternSet) -> PatternNode { PatternNode(kind: .one(set), states: 1) }
    static func assertion(_ assertion: PatternAssertion) -> PatternNode { PatternNode(kind: .assertion(assertion), states: 1) }

    static func sequence(_ nodes: [PatternNode]) -> PatternNode {
        if nodes.count == 1 { return nodes[0] }
        return PatternNode(kind: .sequence(nodes), states: bounded(nodes.reduce(0) { bounded($0 + $1.states) }))
    }

    static func choice(_ nodes: [PatternNode]) -> PatternNode {
        if nodes.count == 1 { return nodes[0] }
        return PatternNode(kind: .choice(nodes), states: nodes.reduce(nodes.count - 1) { bounded($0 + $1.states) })
    }

    /// - Parameters: numbers of ``tooMany`` at most.
    static func repetition(_ node: PatternNode, minimum: Int, maximum: Int?) -> PatternNode {
        if node.isEmpty || maximum == 0 { return empty }
        let states =
            if let maximum {
                bounded(minimum * node.states) + bounded((maximum - minimum) * (node.states + 1))
            } else {
                bounded(max(minimum, 1) * node.states) + 1
            }
        return PatternNode(kind: .repetition(node, minimum: minimum, maximum: maximum), states: bounded(states))
    }

    private static func bounded(_ states: Int) -> Int { min(states, tooMany) }
}
