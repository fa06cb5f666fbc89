/// Text in columns, each as wide as its widest cell.
struct Table {
    /// In upper case; nil for a table without one.
    var heading: [String]?
    var rows: [[String]] = []

    mutating func add(_ cells: String...) { rows.append(cells.map(Terminal.printable)) }

    /// A list as a table.
    ///
    /// - Parameters:
    ///   - none: what to say of an empty list; nil: its heading is shown.
    ///   - cells: of an element.
    static func text<Row>(_ heading: String..., of rows: [Row]?, none: String? = nil, cells: (Row) -> [String]) -> String {
        let rows = rows ?? []
        if let none, rows.isEmpty { return none }
        return Table(heading: heading.map { $0.uppercased() }, rows: rows.map { cells($0).map(Terminal.printable) }).text
    }

    var text: String {
        let all = (heading.map { [$0] } ?? []) + rows
        let columns = all.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        var lines = rows.map { Self.line($0, widths) }
        if let heading { lines.insert(Terminal.styled(Self.line(heading, widths), .bold), at: 0) }
        return lines.joined(separator: "\n")
    }

    /// The last cell of a row is not filled up, so that no line ends in spaces.
    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        cells.enumerated().map { column, cell in column == cells.count - 1 ? cell : padded(cell, widths[column]) }.joined(separator: "  ")
    }

    static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }

    /// With the spaces before it, as numbers have them.
    static func indented(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
}
