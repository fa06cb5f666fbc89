import Foundation
import Support

/// Which habit breaks which rules, as the page *Verdicts* has it between two markers.
struct Matrix {
    let broken: [Habit: Set<String>]
    /// All that there are.
    let rules: [String]
    /// Which of them the clients by other hands break with their habits.
    let brokenByOthers: Set<String>

    /// Rules that no habit breaks, so that nothing shows that they can.
    var unbroken: [String] {
        let told = broken.values.reduce(into: brokenByOthers) { $0.formUnion($1) }
        return rules.filter { !told.contains($0) }
    }

    private static let markers = (begin: "<!-- matrix -->\n", end: "<!-- /matrix -->\n")
    private static var path: String { Repository.folder("Sources/sparring/Documentation.docc/Verdicts.md") }

    var text: String {
        var lines = ["| A client that … | breaks |", "|---|---|"]
        for habit in Habit.allCases {
            let rules = (broken[habit] ?? []).sorted().map { "`\($0)`" }
            lines.append("| \(habit.rawValue) | \(rules.joined(separator: ", ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What stands there; nil where the markers are missing.
    static var recorded: String? {
        get throws {
            let page = try String(contentsOfFile: path, encoding: .utf8)
            return place(in: page).map { String(page[$0]) }
        }
    }

    func record() throws {
        var page = try String(contentsOfFile: Self.path, encoding: .utf8)
        guard let place = Self.place(in: page) else { return }
        page.replaceSubrange(place, with: text)
        try page.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }

    private static func place(in page: String) -> Range<String.Index>? {
        guard let begin = page.range(of: markers.begin), let end = page.range(of: markers.end), begin.upperBound <= end.lowerBound
        else {
            return nil
        }
        return begin.upperBound..<end.lowerBound
    }
}
