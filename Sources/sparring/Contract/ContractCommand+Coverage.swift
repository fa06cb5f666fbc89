import ArgumentParser
import SparringAdmin
import SparringJSON
import SparringVerdict

extension ContractCommand {
    struct Coverage: SandboxVerb {
        static let abstract = "Print how much of the contracts a sandbox's client met."
        static let discussion = """
            Counts operations, answers, refusals, messages, optional members and rules of the vendors that the client called. `covered`: every declared answer was met, and \
            every optional member sent. `partial`: it was called. `missing`: it was not. `extra`: no contract has the call.
              sparring contract coverage --verbose
              sparring run --coverage --minimum operations=50% -- npm test
            """

        @Flag(help: "Name the operations that were not called, too.") var verbose = false

        func run(_ sandbox: RemoteSandbox) async throws {
            let report = try await sandbox.server.verdicts(sandbox.name, ["coverage": true], settle: nil)
            guard let coverage = report.coverage else { throw CommandFailure(text: "the server does not measure coverage", status: 69) }
            try Terminal.print(
                sandbox.connection.json ? report.json["coverage"]?.text ?? "" : coverage.lines(verbose: verbose).joined(separator: "\n"))
        }
    }
}
