import ArgumentParser
import Foundation

/// `sparring init`
struct InitCommand: WordedCommand {
    static let abstract = "Write files that a project needs to run Sparring."
    static let discussion = "  sparring init ci github --source URL --revision v0.1.0 -- npm test"
    static var subcommands: [any ParsableCommand.Type] { [ContinuousIntegration.self] }

    struct ContinuousIntegration: LocalCommand {
        static let name = "ci"
        static let abstract = "Write a CI job that judges the client."
        static let discussion = """
            The job builds Sparring from a commit, caches the build, runs the tests in all given scenarios, and shows the verdicts: in \
            the job's summary on GitHub, as a test report on GitLab. An existing file is left alone.
              sparring init ci github --source URL --revision v0.1.0 -- npm test
              sparring init ci gitlab --source URL --revision v0.1.0 \\
                --scenario 'pusher-*' -- pytest
            """

        @Argument(help: "github or gitlab.") var platform: Workflow.Platform
        @Option(name: .customLong("scenario"), help: "A scenario, or a pattern such as 'pusher-*'; may be given several times.")
        var scenarios: [String] = []
        @Option(help: "The URL from which to clone Sparring's source.") var source: String
        @Option(help: "Its commit or tag; the build is cached under this name.") var revision: String
        @Flag(name: .customLong("print"), help: "Print it instead of writing it.") var prints = false
        @Argument(parsing: .postTerminator, help: "The command that runs the tests, after '--'.") var command: [String]

        func perform() async throws {
            _ = try PlayPlan.all(scenarios, known: try ScenarioCommand.names())
            let workflow = Workflow(platform: platform, scenarios: scenarios, source: source, revision: revision, command: command)
            if prints { return try Terminal.print(workflow.text) }
            let file = platform.file
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandFailure(text: "\(file) already exists; --print prints what would be written", status: 73)
            }
            try CommandFailure.writing(file) {
                let place = URL(fileURLWithPath: file)
                try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(workflow.text.utf8).write(to: place, options: .withoutOverwriting)
            }
            try Terminal.print("wrote \(file)")
        }
    }
}
