/// A deterministic automaton: each state says for each class of characters which state follows.
struct PatternTable: Sendable {
    /// How much may be spent on making one; an expression beyond it goes without.
    struct Limits: Sendable {
        /// States × classes of characters.
        var cells: Int
        /// Looks at states of the nondeterministic automaton.
        var steps: Int

        static let standard = Limits(cells: 1 << 15, steps: 200_000)
    }

    private let alphabet: PatternAlphabet
    /// Rows of as many cells as there are classes, and one for the end of the text. A state is where its row begins. In the first one
    /// nothing can be found any more, in the second it was found.
    private let cells: [UInt16]
    private let start: UInt16

    /// Nil above the limits.
    init?(_ program: PatternProgram, _ limits: Limits) {
        var sets = program.sets
        if program.sides.contains(.word) { sets.append(.words) }
        if program.sides.contains(.lineBreak) { sets.append(.lineBreaks) }
        guard let alphabet = PatternAlphabet(sets) else { return nil }
        var rows = PatternRows(program, alphabet, limits)
        guard let start = rows.fill() else { return nil }
        self.alphabet = alphabet
        self.start = start
        cells = rows.cells
    }

    /// - Returns: also how many characters were looked at.
    func search(_ text: String) -> (found: Bool, steps: Int) {
        var text = text
        return text.withUTF8 { bytes in
            cells.withUnsafeBufferPointer { cells in
                alphabet.ascii.withUnsafeBufferPointer { ascii in search(bytes, cells, ascii) }
            }
        }
    }

    private func search(
        _ bytes: UnsafeBufferPointer<UInt8>, _ cells: UnsafeBufferPointer<UInt16>, _ ascii: UnsafeBufferPointer<UInt8>
    ) -> (found: Bool, steps: Int) {
        let width = alphabet.examples.count + 1
        var state = Int(start)
        var (position, steps) = (0, 0)
        while position < bytes.count {
            let byte = bytes[position]
            let number: Int
            if byte < 0x80 {
                number = Int(ascii[Int(byte)])
                position += 1
            } else {
                let scalar = Self.scalar(bytes, at: &position)
                number = alphabet.number(of: scalar)
            }
            state = Int(cells[state + number])
            steps += 1
            // One of the first two: nothing leads away from them.
            if state <= width { return (state == width, steps) }
        }
        return (Int(cells[state + width - 1]) == width, steps)
    }

    /// Reads a character of more than one byte. Swift's strings are valid UTF-8.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> UInt32 {
        let lead = UInt32(bytes[position])
        let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var scalar = lead & (0x7F >> UInt32(count))
        for offset in 1..<count { scalar = scalar << 6 | UInt32(bytes[position + offset] & 0x3F) }
        position += count
        return scalar
    }
}
