/// Makes the rows of a ``PatternTable`` (subset construction): each stands for what a ``PatternSearch`` has behind some character.
struct PatternRows {
    private struct Key: Hashable {
        /// In order.
        var places: [UInt16]
        /// The properties of the character that was passed last.
        var previous: PatternSide
    }

    private(set) var cells: [UInt16]
    private let program: PatternProgram
    private let alphabet: PatternAlphabet
    private let limits: PatternTable.Limits
    private var search: PatternSearch
    private var starts: [Key: UInt16] = [:]
    /// The keys of the rows, in order, but for the first two.
    private var keys: [Key] = []

    /// The first two rows, as cells.
    private let never: UInt16 = 0
    private let found: UInt16
    private var width: Int { Int(found) }

    init(_ program: PatternProgram, _ alphabet: PatternAlphabet, _ limits: PatternTable.Limits) {
        self.program = program
        self.alphabet = alphabet
        self.limits = limits
        search = PatternSearch(program)
        found = UInt16(alphabet.examples.count + 1)
        cells = Array(repeating: never, count: Int(found)) + Array(repeating: found, count: Int(found))
    }

    /// - Returns: the row to start with; nil above the limits.
    mutating func fill() -> UInt16? {
        guard let start = row(Key(places: [], previous: .outside)) else { return nil }
        let isIn = alphabet.examples.map { example in program.sets.map { $0.contains(example) } }
        var done = 0
        while done < keys.count {
            let key = keys[done]
            done += 1
            for (number, example) in alphabet.examples.enumerated() {
                guard search.steps <= limits.steps, let cell = cell(key, before: program.side(example), isIn[number]) else { return nil }
                cells.append(cell)
            }
            search.stand(at: key.places)
            cells.append(search.settle(after: key.previous, before: .outside) ? found : never)
        }
        return start
    }

    /// The row that follows another; nil above the limits.
    ///
    /// - Parameter isIn: whether the next character is in each of the sets.
    private mutating func cell(_ key: Key, before next: PatternSide, _ isIn: [Bool]) -> UInt16? {
        search.stand(at: key.places)
        if search.settle(after: key.previous, before: next) { return found }
        search.advance { isIn[$0] }
        if search.standing.isEmpty, program.isAnchored { return never }
        return row(Key(places: search.standing.sorted(), previous: next))
    }

    /// The place where the row of a state begins, which may be a new one; nil above the limits.
    private mutating func row(_ key: Key) -> UInt16? {
        if let start = starts[key] { return start }
        let start = (keys.count + 2) * width
        guard start + width <= min(limits.cells, Int(UInt16.max)) else { return nil }
        starts[key] = UInt16(start)
        keys.append(key)
        return UInt16(start)
    }
}
