import ArgumentParser
import SparringJSON

/// A command that asks a running server. Every failure is reported on standard error and turned into an exit status here.
protocol ServerCommand: AsyncParsableCommand {
    var connection: ConnectionOptions { get }
    func run(_ server: AdminClient) async throws
}

extension ServerCommand {
    func run() async throws {
        do {
            try await run(connection.client)
        } catch let failure as CommandFailure {
            if connection.json, let problem = failure.json {
                Terminal.complain(problem.text)
            } else {
                Terminal.complain("sparring: \(failure.text)")
            }
            throw ExitCode(failure.status)
        }
    }

    /// Prints an answer: as it came with `--json`, else as the text that is made of it.
    func show(_ answer: AdminAnswer, as text: (JSON) -> String) throws {
        let json = try answer.json
        try Terminal.print(connection.json ? answer.text : text(json))
    }

    /// Says what was done where the server's answer has no body.
    func confirm(_ text: String) throws {
        if !connection.json { try Terminal.print(text) }
    }
}
