/// Places words in rows so that none covers another nor sticks out of the drawing.
struct LabelRows {
    /// The width of a small letter of the page, in pixels.
    private static let letter = 6.3

    private let width: Double
    private var ends: [Double]

    /// - Parameter width: of the drawing.
    init(_ count: Int, width: Double) {
        self.width = width
        ends = Array(repeating: 0, count: count)
    }

    /// - Parameter x: where the words should begin, or have their middle.
    /// - Returns: where they begin, and the row; nil where there is no room.
    mutating func place(_ words: String, at x: Double, isMiddle: Bool = false) -> (x: Double, row: Int)? {
        let length = Double(words.count) * Self.letter
        let x = max(0, min(isMiddle ? x - length / 2 : x, width - length))
        guard let row = ends.firstIndex(where: { $0 <= x }) else { return nil }
        ends[row] = x + length + 6
        return (x, row)
    }
}
