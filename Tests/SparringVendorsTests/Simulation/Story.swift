import Foundation
import SparringSandbox
import Support

/// A simulated world's events, a step at a time. Each step stands for itself, so that a story from which steps were taken is a story too.
struct Story: Sendable, CustomStringConvertible {
    /// The seed that it was drawn by; also that of its sandboxes.
    var seed: Int64
    var steps: [Step]

    /// One thing that is done, as a line of words:
    ///
    /// ```
    /// create a                                a sandbox
    /// a ada@khoros say 7                      an app's deed
    /// a agent ada@khoros say 8                the agent's, for the app's user
    /// a clock 20s                             time passes
    /// a fault khoros.* status code=503        a fault is armed
    /// a settings khoros {"tokenLifetime":"7m"}
    /// a fork b 3                              a second sandbox, as the first was three entries ago
    /// trouble 5                               the fifth statement of the next step fails
    /// restart
    /// kill
    /// ```
    struct Step: Hashable, Sendable, CustomStringConvertible {
        var words: [String]
        init(_ text: String) { words = text.split(separator: " ").map(String.init) }
        var description: String { words.joined(separator: " ") }
    }

    /// Without what depends on threads: who wins a race, and which statement is the fifth where several jobs share a transaction.
    var replayable: Story {
        var story = self
        story.steps.removeAll { $0.words.contains("race") || $0.words.first == "trouble" }
        return story
    }

    /// The text of the story's file; lines with `#` are comments.
    var description: String { "seed \(seed)\n" + steps.map { "\($0)\n" }.joined() }

    init(seed: Int64, steps: [Step]) { (self.seed, self.steps) = (seed, steps) }

    /// - Throws: ``SimulationFailure`` where the first line is not `seed NUMBER`.
    init(file text: String) throws {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        guard let first = lines.first, first.hasPrefix("seed "), let seed = Int64(first.dropFirst(5)) else {
            throw SimulationFailure("a story begins with 'seed NUMBER'")
        }
        self.init(seed: seed, steps: lines.dropFirst().map { Step(String($0)) })
    }

    /// The folder of the stories that once found something.
    static let folder = Repository.folder("fixtures/simulation")

    static func kept() throws -> [(name: String, Story)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { $0.hasSuffix(".story") }.sorted().map { name in
            (name, try Story(file: String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)))
        }
    }
}
