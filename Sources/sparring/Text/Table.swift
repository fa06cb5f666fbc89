import SparringJSON

/// Text in columns, each as wide as its widest cell.
struct Table {
    /// Nil for a table without a heading.
    var heading: [String]?
    var rows: [[String]] = []

    init(_ heading: String...) {
        self.heading = heading.isEmpty ? nil : heading.map { $0.uppercased() }
    }

    mutating func add(_ cells: String...) { rows.append(cells.map(Terminal.printable)) }

    /// A list as a table.
    ///
    /// - Parameters:
    ///   - none: what to say of an empty list; nil: its heading is shown.
    ///   - cells: of an element.
    static func text(_ heading: String..., of list: JSON?, none: String? = nil, cells: (JSON) -> [String]) -> String {
        let list = list?.array ?? []
        if let none, list.isEmpty { return none }
        var table = Table()
        table.heading = heading.map { $0.uppercased() }
        table.rows = list.map { cells($0).map(Terminal.printable) }
        return table.text
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
