import ArgumentParser
import SparringContract
import SparringJSON
import SparringSandbox

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
}

/// A command that needs no server. Every failure is reported on standard error and turned into an exit status here.
protocol LocalCommand: AsyncParsableCommand {
    func perform() async throws
    /// The status of a refusal that sysexits(3) has no word for.
    static var refusal: Int32 { get }
}

extension LocalCommand {
    static var refusal: Int32 { 1 }

    func run() async throws {
        do {
            try await perform()
        } catch let failure as CommandFailure {
            Terminal.complain("sparring: \(failure.text)")
            throw ExitCode(failure.status == 1 ? Self.refusal : failure.status)
        } catch let error as ContractError {
            Terminal.complain("sparring: \(error)")
            throw ExitCode(65)
        } catch let error as ToolError {
            Terminal.complain("sparring: \(error)")
            throw ExitCode(Self.refusal)
        }
    }
}
