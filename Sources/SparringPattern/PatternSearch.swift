/// The states that an automaton is in at once while it reads a text.
///
/// The lists are made as long as they can get and have their counts beside them: the innermost loops are faster where no array grows.
struct PatternSearch {
    private let program: PatternProgram
    /// The states behind the last character. Those that lead on from there without a character are not followed yet: assertions want to see
    /// the next one.
    private var places: [UInt16]
    private var placeCount = 0
    /// The states that are still to be followed, before the next character.
    private var pending: [UInt16]
    private var pendingCount = 0
    /// The states that were reached and want a character.
    private var waiting: [UInt16]
    private var waitingCount = 0
    /// The round in which each state was last met, so that it is followed once. A character takes two, and no text has enough for 32 bits.
    private var met: [UInt32]
    private var round: UInt32 = 0
    /// How many states were followed, and how many wanted a character.
    private(set) var steps = 0

    init(_ program: PatternProgram) {
        self.program = program
        places = Array(repeating: 0, count: program.states.count)
        (pending, waiting) = (places, places)
        met = Array(repeating: 0, count: program.states.count)
    }

    /// Each state once, in any order.
    var standing: ArraySlice<UInt16> { places[..<placeCount] }

    mutating func stand(at states: [UInt16]) {
        for (index, state) in states.enumerated() { places[index] = state }
        placeCount = states.count
    }

    /// Follows everything that wants no character.
    ///
    /// - Parameters: what the place in the text has on its left and on its right.
    /// - Returns: whether the expression is found.
    mutating func settle(after previous: PatternSide, before next: PatternSide) -> Bool {
        round += 1
        (pendingCount, waitingCount) = (0, 0)
        for index in 0..<placeCount { meet(places[index]) }
        // It may begin anywhere.
        if previous.contains(.outside) || !program.isAnchored { meet(program.start) }
        while pendingCount > 0 {
            pendingCount -= 1
            let state = pending[pendingCount]
            steps += 1
            switch program.states[Int(state)] {
            case .found: return true
            case .either(let first, let second):
                meet(second)
                meet(first)
            case .assertion(let assertion, let then): if assertion.holds(after: previous, before: next) { meet(then) }
            case .one:
                waiting[waitingCount] = state
                waitingCount += 1
            }
        }
        return false
    }

    /// Goes over a character that is in some of the sets.
    mutating func advance(_ isIn: (_ set: Int) -> Bool) {
        round += 1
        placeCount = 0
        steps += waitingCount
        for index in 0..<waitingCount {
            guard case .one(let set, let then) = program.states[Int(waiting[index])], met[Int(then)] != round, isIn(Int(set)) else {
                continue
            }
            met[Int(then)] = round
            places[placeCount] = then
            placeCount += 1
        }
    }

    private mutating func meet(_ state: UInt16) {
        guard met[Int(state)] != round else { return }
        met[Int(state)] = round
        pending[pendingCount] = state
        pendingCount += 1
    }

}

extension PatternProgram {
    /// Follows all states at once: each character costs at most two looks at each of them.
    func search(_ text: String) -> (found: Bool, steps: Int) {
        var search = PatternSearch(self)
        var previous = PatternSide.outside
        for scalar in text.unicodeScalars {
            let next = side(scalar.value)
            if search.settle(after: previous, before: next) { return (true, search.steps) }
            search.advance { sets[$0].contains(scalar.value) }
            if search.standing.isEmpty, isAnchored { return (false, search.steps) }
            previous = next
        }
        let isFound = search.settle(after: previous, before: .outside)
        return (isFound, search.steps)
    }
}
