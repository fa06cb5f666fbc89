import Subprocess
import SystemPackage

/// A command of the user's, given to a shell.
struct ShellCommand {
    let text: String

    /// Bytes of the longest output.
    private static let longest = 1 << 20

    /// Runs it; what it says of errors goes to the terminal.
    ///
    /// - Returns: its output.
    /// - Throws: ``CommandFailure`` where it fails.
    func output(given input: String) async throws -> String {
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", text], input: .string(input), output: .string(limit: Self.longest),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
        guard result.terminationStatus.isSuccess else {
            throw CommandFailure(text: "'\(text)' failed: \(result.terminationStatus)", status: 2)
        }
        return result.standardOutput
    }
}
