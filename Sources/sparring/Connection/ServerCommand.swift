import ArgumentParser
import SparringJSON

/// A command that asks a running server.
protocol ServerCommand: WordedCommand {
    var connection: ConnectionOptions { get }
    func run(_ server: AdminClient) async throws
}

extension ServerCommand {
    func run() async throws {
        try await CommandFailure.reporting(asJSON: connection.json) { try await run(connection.client) }
    }
}

/// A command that needs no server.
protocol LocalCommand: WordedCommand {
    func perform() async throws
    /// The status of a refusal that sysexits(3) has no word for.
    static var refusal: Int32 { get }
}

extension LocalCommand {
    static var refusal: Int32 { 1 }

    func run() async throws { try await CommandFailure.reporting(refusal: Self.refusal, perform) }
}

extension CommandFailure {
    /// Does a command's work: reports every failure on standard error, and turns it into an exit status.
    ///
    /// - Parameters:
    ///   - refusal: the status of a refusal that sysexits(3) has no word for.
    ///   - isJSON: a problem that the server sent is printed as it came.
    fileprivate static func reporting(refusal: Int32 = 1, asJSON isJSON: Bool = false, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            guard let failure = CommandFailure(error, refusal: refusal)?.advised else { throw error }
            Terminal.complain((isJSON ? failure.json?.text : nil) ?? "sparring: \(failure.text)")
            throw ExitCode(failure.status)
        }
    }

    /// For a sandbox that is not known: with the command that lists them, and with the variable that names it.
    private var advised: CommandFailure {
        guard json?["type"] == "urn:sparring:problem:sandbox-unknown" else { return self }
        var advised = self
        if let name = Variables["SPARRING_SANDBOX"]?.quoted, advised.text.hasPrefix("there is no sandbox \(name)") {
            advised.text.replace(name, with: "\(name), which SPARRING_SANDBOX names", maxReplacements: 1)
        }
        if !advised.text.contains("did you mean") { advised.text += "\n  `sparring sandbox list` lists them" }
        return advised
    }
}
