import ArgumentParser

/// A CI job that runs a client's tests against Sparring.
struct Workflow {
    enum Platform: String, ExpressibleByArgument, CaseIterable {
        case github, gitlab

        /// The file in which the platform looks for it, from the project's folder.
        var file: String {
            switch self {
            case .github: ".github/workflows/sparring.yml"
            case .gitlab: "sparring.gitlab-ci.yml"
            }
        }
    }

    let platform: Platform
    let package: WorkflowPackage
    let runtime: WorkflowRuntime
    let scenarios: [String]
    /// Further options of `sparring run`.
    let options: [String]
    let command: [String]

    /// Minutes after which the platform ends a job that hangs; the tests themselves are ended before.
    static let limits = (job: 30, tests: "20m")

    var text: String {
        switch platform {
        case .github: github
        case .gitlab: gitlab
        }
    }

    /// Lines of a script that plays the tests and writes the reports.
    var play: [String] {
        let plays = scenarios.flatMap { ["--scenario", $0] } + (scenarios.isEmpty ? [] : ["--jobs", "2"])
        let reports = ["--html", "report/index.html", "--junit", "report/sparring.xml", "--sarif", "report/sparring.sarif"]
        let words = ["sparring", "run", "--timeout", Self.limits.tests] + plays + options + reports + ["--"] + command
        let line = words.map(ShellText.quoted).joined(separator: " ")
        return ["mkdir -p report", (package.isUnpacked ? "PATH=\"$PWD/.sparring/bin:$PATH\" " : "") + line]
    }

    /// Text in single quotes of YAML, in which nothing but these has a meaning (YAML 1.2.2 §7.3.2).
    static func scalar(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    /// Lines one level deeper; an empty one stays empty.
    func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? $0 : "  " + $0 } }
}
