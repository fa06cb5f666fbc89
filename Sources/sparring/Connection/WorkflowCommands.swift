import Foundation

/// The commands that GitHub Actions sees in a step's output: a line that begins with `::`, white space before it or not, and `##[…]`
/// anywhere in a line (actions/runner, `ActionCommand.cs`). Only the annotations are meant as commands; strangers' names are not.
enum WorkflowCommands {
    static let areObeyed = ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true"

    /// The output without commands. JSON, which begins with a bracket, keeps its meaning for its readers: `##[` occurs there only inside
    /// strings, where an escape says the same.
    static func defused(_ output: String) -> String {
        // By code points: a `Character` may hide a colon or a line's end under an accent or in CR LF.
        let scalars = Array(output.unicodeScalars)
        let isJSON = scalars.first == "{" || scalars.first == "["
        let joiner = "\u{2060}"  // WORD JOINER: nothing is seen of it
        var defused = ""
        var isBeginning = true
        for (index, scalar) in scalars.enumerated() {
            let rest = scalars[index...]
            if rest.starts(with: "##[".unicodeScalars) {
                defused += isJSON ? #"\u0023"# : "#\(joiner)"
            } else if isBeginning, rest.starts(with: "::".unicodeScalars) {
                defused += ":\(joiner)"
            } else {
                defused.unicodeScalars.append(scalar)
            }
            isBeginning = scalar == "\n" || scalar == "\r" || isBeginning && scalar.properties.isWhitespace
        }
        return defused
    }
}
