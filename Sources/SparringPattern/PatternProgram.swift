/// An expression as a nondeterministic automaton (Thompson's).
struct PatternProgram: Sendable {
    /// States and sets are meant by their number.
    enum State: Sendable {
        /// The expression is found.
        case found
        case either(UInt16, UInt16)
        case assertion(PatternAssertion, then: UInt16)
        /// One character of the set.
        case one(set: UInt16, then: UInt16)
    }

    private(set) var states: [State] = [.found]
    private(set) var sets: [PatternSet] = []
    private(set) var start: UInt16 = 0
    /// Whether it can be found at the beginning of the text only.
    private(set) var isAnchored = false
    /// The properties of characters that its assertions look at.
    private(set) var sides: PatternSide = []
    /// While it is made.
    private var setNumbers: [PatternSet: UInt16] = [:]

    /// - Parameter node: of fewer states than a `UInt16` has values.
    init(_ node: PatternNode) {
        start = add(node, then: 0)
        isAnchored = !canPassOver()
        setNumbers = [:]
    }

    /// Adds a part from its end to its beginning. The depth of the recursion is that of the groups.
    ///
    /// - Parameter next: the state behind it.
    /// - Returns: the state that begins it.
    private mutating func add(_ node: PatternNode, then next: UInt16) -> UInt16 {
        switch node.kind {
        case .one(let set): return add(.one(set: number(of: set), then: next))
        case .assertion(let assertion):
            switch assertion {
            case .textStart, .textEnd: break
            case .lineStart, .lineEnd: sides.insert(.lineBreak)
            case .wordBoundary, .noWordBoundary: sides.insert(.word)
            }
            return add(.assertion(assertion, then: next))
        case .sequence(let nodes):
            var next = next
            for node in nodes.reversed() { next = add(node, then: next) }
            return next
        case .choice(let nodes):
            var entry: UInt16?
            for node in nodes.reversed() {
                let other = add(node, then: next)
                entry = entry.map { add(.either(other, $0)) } ?? other
            }
            return entry ?? next
        case .repetition(let node, let minimum, let maximum): return add(node, minimum, maximum, then: next)
        }
    }

    private mutating func add(_ node: PatternNode, _ minimum: Int, _ maximum: Int?, then next: UInt16) -> UInt16 {
        var entry = next
        var rest = minimum
        if let maximum {
            for _ in minimum..<maximum { entry = add(.either(add(node, then: entry), next)) }
        } else {
            let loop = add(.either(next, next))
            let body = add(node, then: loop)
            states[Int(loop)] = .either(body, next)
            // At least once: the way in is the body of the loop.
            entry = minimum == 0 ? loop : body
            rest = max(0, minimum - 1)
        }
        for _ in 0..<rest { entry = add(node, then: entry) }
        return entry
    }

    private mutating func add(_ state: State) -> UInt16 {
        states.append(state)
        return UInt16(states.count - 1)
    }

    private mutating func number(of set: PatternSet) -> UInt16 {
        if let number = setNumbers[set] { return number }
        sets.append(set)
        setNumbers[set] = UInt16(sets.count - 1)
        return UInt16(sets.count - 1)
    }

    /// Whether a character is read, or the end reached, without standing at the beginning.
    private func canPassOver() -> Bool {
        var seen: Set<UInt16> = [start]
        var pending = [start]
        while let place = pending.popLast() {
            switch states[Int(place)] {
            case .found, .one: return true
            case .either(let first, let second): pending += [first, second].filter { seen.insert($0).inserted }
            case .assertion(.textStart, _): break
            case .assertion(_, let next): if seen.insert(next).inserted { pending.append(next) }
            }
        }
        return false
    }

    /// The properties of a character that the assertions look at.
    func side(_ scalar: UInt32) -> PatternSide { sides.isEmpty ? [] : PatternSide(scalar).intersection(sides) }
}
