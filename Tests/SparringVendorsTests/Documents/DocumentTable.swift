import Foundation
import SparringContract
import SparringJSON
import Support

/// The coverage of a vendor's document, statement by statement: `fixtures/documents/<name>.yaml`, and the page that is made of it.
struct DocumentTable {
    struct Row {
        let number, line, section, says: String
        /// The names that cover it, by their kind.
        let covers: [Kind: [String]]
        let unobservable: String?
        /// The part that is lacking, and why.
        let missing: String?

        var isCovered: Bool { !covers.isEmpty || unobservable != nil || missing != nil }
    }

    enum Kind: String, CaseIterable {
        case rules, scenarios, transcripts, habits, tests

        /// Before the names, in the page.
        var word: String {
            switch self {
            case .rules: "rule"
            case .scenarios: "scenario"
            case .transcripts: "transcript"
            case .habits: "caught: a client that"
            case .tests: "test"
            }
        }
    }

    let rows: [Row]
    private let page: RecordedPage

    init(_ name: String, page: String) throws {
        let file = Repository.folder("fixtures/documents/\(name).yaml")
        let json = try YAMLDocument(parsing: String(contentsOfFile: file, encoding: .utf8), file: file).json
        rows = (json["rows"]?.array ?? []).map { row in
            func text(_ name: String) -> String { row[name].map { $0.string ?? $0.text } ?? "" }
            let covers = Kind.allCases.compactMap { kind in row[kind.rawValue]?.array.map { (kind, $0.compactMap(\.string)) } }
            return Row(
                number: text("row"), line: text("line"), section: text("section"), says: text("says"),
                covers: Dictionary(uniqueKeysWithValues: covers), unobservable: row["unobservable"]?.string, missing: row["missing"]?.string
            )
        }
        self.page = RecordedPage(page)
    }

    /// The page's text after its introduction.
    var text: String {
        var lines: [String] = []
        var section = ""
        for row in rows {
            if row.section != section {
                section = row.section
                lines += ["", "## \(section)", "", "| Line | The app … | What covers it |", "|---|---|---|"]
            }
            lines.append("| \(row.line) | \(row.says) | \(row.words) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The rows that the page has; nil where its marker is missing.
    var recorded: String? {
        get throws { try page.rows }
    }

    func record() throws { try page.record(text) }
}

extension DocumentTable.Row {
    fileprivate var words: String {
        var parts: [String] = []
        for kind in DocumentTable.Kind.allCases {
            guard let names = covers[kind] else { continue }
            let isCode = kind == .rules || kind == .scenarios || kind == .transcripts
            parts.append(kind.word + " " + names.map { isCode ? "`\($0)`" : "“\($0)”" }.joined(separator: ", "))
        }
        if let unobservable { parts.append("not seen by a server: \(unobservable)") }
        if let missing { parts.append("**not covered**: \(missing)") }
        return parts.joined(separator: "; ")
    }
}
