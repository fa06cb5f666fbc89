/// The command line that plays one scenario again, as it was played: without what it wrote to, with the seed that it drew from.
struct RunAgain {
    private let words: [String]
    private let command: [String]

    /// Options with a value that are of the whole suite, and the token, which no report may have: SPARRING_ADMIN_TOKEN gives it.
    private static let dropped: Set = [
        "--scenario", "--jobs", "--seed", "--html", "--junit", "--sarif", "--write-known", "--json", "--json-report", "--database",
        "--admin-token",
    ]

    /// Those of the judge of variations, which a run that shows one of its findings does not need.
    private static let ofVariation: Set = ["--vary", "--vary-only", "--vary-without", "--vary-file", "--max-runs", "--max-time"]

    /// - Parameter arguments: of this process.
    init(_ arguments: [String]) {
        let own = arguments.dropFirst().prefix { $0 != "--" }
        command = Array(arguments.dropFirst(own.count + 1))
        words = Self.without(Self.dropped, in: Array(own))
    }

    /// Leaves out options that have a value, which is the next word or stands behind `=`.
    private static func without(_ options: Set<String>, in words: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if options.contains(word) {
                isValue = true
            } else if !options.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        return kept
    }

    /// The command line that shows variations alone.
    func words(scenario: String?, vary seed: Int64, only ids: [String]) -> String {
        let kept = Self.without(Self.ofVariation, in: words).filter { $0 != "--vary-wild" }
        let what = (scenario.map { ["--scenario", $0] } ?? []) + ["--vary", String(seed)] + ids.flatMap { ["--vary-only", $0] }
        return ShellText.line(["sparring"] + kept + what + command)
    }

    func words(scenario: String?, seed: Int64) -> String {
        let what = (scenario.map { ["--scenario", $0] } ?? []) + ["--seed", String(seed)]
        return ShellText.line(["sparring"] + words + what + command)
    }
}
