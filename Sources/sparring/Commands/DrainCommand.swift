import ArgumentParser
import SparringAdmin
import SparringJSON

/// `sparring drain`
struct DrainCommand: ServerCommand {
    static let abstract = "Let a server's sandboxes end, accept no new ones, and then stop the server."
    static let discussion = """
        The server answers new sandboxes with 503, and its health says that it accepts none. It stops once the last sandbox has been deleted or has ended, or at the
        deadline. SIGUSR1 does the same, with a deadline of an hour.
          sparring drain --deadline 30m
          sparring drain --cancel
        """

    @Option(help: "When the server stops, whatever is left. Default: 1h.") var deadline: String?
    @Flag(help: "Return once the server has stopped.") var wait = false
    @Flag(help: "Take new sandboxes again.") var cancel = false
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        if let deadline, Duration(text: deadline) == nil { throw ValidationError("--deadline: \(Duration.refusal(of: deadline)).") }
        if cancel, deadline != nil || wait { throw ValidationError("--cancel cannot be used with --deadline or --wait.") }
    }

    func run(_ server: AdminClient) async throws {
        if cancel {
            _ = try await server.call(.cancelDrain)
            return try Terminal.print("new sandboxes are taken again")
        }
        let form: JSON = .members(["deadline": deadline.map { .string($0) }])
        try connection.show(try await server.call(.drain, body: form)) { answer in
            let count = answer["sandboxes"]?.integer ?? 0
            let words = count == 0 ? "no sandbox is left" : "\(count) \(count == 1 ? "sandbox is" : "sandboxes are") left"
            return
                "no new sandboxes are taken; \(words), and the server stops at \(answer["deadline"]?.string ?? "the deadline") at the latest"
        }
        if wait { try await self.waitForEnd(of: server) }
    }

    /// The server answers to health until it has stopped.
    private func waitForEnd(of server: AdminClient) async throws {
        while true {
            do { try await server.call(.readHealth, timeout: .seconds(5)) } catch let failure as CommandFailure where failure.status == 69 {
                return
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}
