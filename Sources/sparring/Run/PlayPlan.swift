import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringVerdict

/// A play that is to be: a scenario, or none.
struct PlayPlan: Sendable {
    /// nil: a sandbox without a scenario.
    var scenario: String?
    /// The scenario in the form for the admin API: a name, or all of a file.
    var form: JSON?
    /// The file that the scenario is in; nil: the server knows it by its name.
    var file: ScenarioFile?
    /// The word of the command line that means this play alone.
    var word: String?

    /// The plays that are meant by names, patterns such as `pusher-*`, and files; each once, in the order in which they are named.
    ///
    /// - Parameters:
    ///   - words: of the command line; none: a play without a scenario.
    ///   - known: the names that the server knows.
    ///   - vendors: those that the server has; nil: all, or it is not known.
    /// - Throws: ``CommandFailure`` for a name that is not known, with the nearest, and for a file that is wrong.
    static func all(_ words: [String], known: [String], of vendors: Set<String>? = nil) throws -> [PlayPlan] {
        if words.isEmpty { return [PlayPlan()] }
        var plans: [PlayPlan] = []
        for word in words {
            for plan in try Self.plans(of: word, known, vendors) where !plans.contains(where: { $0.scenario == plan.scenario }) {
                plans.append(plan)
            }
        }
        return plans
    }

    private static func plans(of word: String, _ known: [String], _ vendors: Set<String>?) throws -> [PlayPlan] {
        if ScenarioFile.isPath(word) {
            let file = try ScenarioCommand.read(word)
            return [PlayPlan(scenario: file.scenario.name, form: file.scenario.json, file: file, word: word)]
        }
        if word.contains(where: { "*?[".contains($0) }) {
            let found = known.filter { fnmatch(word, $0, 0) == 0 }
            guard !found.isEmpty else {
                throw CommandFailure(
                    text: "no scenario matches '\(Terminal.printable(word))'; `sparring scenario list` shows them", status: 64)
            }
            return found.map { PlayPlan(scenario: $0, form: .string($0), word: $0) }
        }
        guard known.contains(word) else {
            throw CommandFailure(text: try vendors.flatMap { try lack(of: word, $0) } ?? unknown(word, known), status: 64)
        }
        return [PlayPlan(scenario: word, form: .string(word), word: word)]
    }

    /// Nil where it is not the vendors that a scenario of this name lacks.
    private static func lack(of word: String, _ vendors: Set<String>) throws -> String? {
        let shipped = try ScenarioFile.all(in: Resources.locate().scenarios)
        guard let file = shipped.first(where: { $0.scenario.name == word }) else { return nil }
        let lacking = file.scenario.vendors(try Resources.behaviours().rules).filter { !vendors.contains($0) }
        return lacking.isEmpty ? nil : "scenario '\(word)' needs \(lacking.joined(separator: ", ")), which --vendor leaves out"
    }

    private static func unknown(_ word: String, _ known: [String]) -> String {
        let nearest = Nearest.words(to: word, in: known)
        let hint = nearest.isEmpty ? "`sparring scenario list` shows them" : "did you mean \(Nearest.choice(of: nearest))?"
        return "there is no scenario '\(Terminal.printable(word))'\n  \(hint)\n  \(ScenarioFile.pathHint)"
    }
}
