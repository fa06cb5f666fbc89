import ArgumentParser
import SparringJSON

/// `sparring clock`
struct ClockCommand: WordedCommand {
    static let abstract = "Show, freeze, advance and resume a sandbox's clock, and sleep on it."
    static let discussion = """
        Tokens and codes expire, and delays pass, on the sandbox's clock: no test has to wait.
          sparring clock advance 61m
        """
    static var subcommands: [any ParsableCommand.Type] { [Show.command, Advance.command, Freeze.command, Resume.command, Wait.command] }

    /// - Throws: for a duration with a minus, which is one but for its sign.
    private static func requirePositive(_ text: String) throws {
        guard text.hasPrefix("-"), Duration(text: String(text.dropFirst())) != nil else { return }
        throw ValidationError("\(text.quoted) must be above 0: the clock only moves ahead")
    }

    struct Show: SandboxVerb {
        static let abstract = "Show the sandbox's time and its scheduled work."
        static let discussion = "  sparring clock show --sandbox checkout"

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.readClock, as: ClockText.whole)
        }
    }

    struct Advance: SandboxVerb {
        static let abstract = "Move the clock forward, and run the work that falls due on the way."
        static let discussion = """
            Returns when that work has run; it never waits for a client.
              sparring clock advance 10m
              sparring clock advance 61m --keep-sockets   # closes no idle socket
            """

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String
        @Flag(help: "Do not close open sockets for being idle on the way.") var keepSockets = false

        func validate() throws { try ClockCommand.requirePositive(duration) }

        func run(_ sandbox: RemoteSandbox) async throws {
            let form = JSON.members(["by": .string(duration), "keepSockets": keepSockets ? true : nil])
            try await sandbox.show(.advanceClock, body: form, as: ClockText.advanced)
        }
    }

    struct Freeze: SandboxVerb {
        static let abstract = "Stop the clock."
        static let discussion = "  sparring clock freeze\n  sparring clock freeze --at 2026-11-21T07:00:00Z"

        @Option(help: ArgumentHelp("The time to show. Default: its present time.", valueName: "time")) var at: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.setClock, body: .members(["mode": "frozen", "now": at.map(JSON.string)]), as: ClockText.whole)
        }
    }

    struct Resume: SandboxVerb {
        static let abstract = "Let the clock run from its present time."
        static let discussion = "  sparring clock resume\n  sparring clock resume --rate 60\n  sparring clock resume --offset=-5m"

        @Option(help: "Sandbox seconds for each second. Default: as fast as the machine's clock.") var rate: Double?
        @Option(help: "Set it ahead of the machine's clock, such as 5m, or behind: --offset=-5m. Default: it keeps its present time.")
        var offset: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let mode: JSON = rate == nil ? "real" : "rate"
            let form = JSON.members(["mode": mode, "rate": rate.map(JSON.number), "offset": offset.map(JSON.string)])
            try await sandbox.show(.setClock, body: form, as: ClockText.whole)
        }
    }

    struct Wait: SandboxVerb {
        static let abstract = "Sleep until the sandbox's clock has advanced by a duration, or has reached a time."
        static let discussion = """
            Returns at once if the clock is already there, and fails if it does not get there in time.
              sparring clock wait 31s --timeout 1m
              sparring clock wait --until 2026-11-21T07:00:31Z
            """

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String?
        @Option(help: ArgumentHelp("The time to wait for.", valueName: "time")) var until: String?
        @Option(help: ArgumentHelp("How long to wait by the machine's clock, 5m at most. Default: 5s.", valueName: "duration"))
        var timeout: String?

        private static let longestTimeout = Duration.seconds(300)

        func validate() throws {
            if (duration == nil) == (until == nil) { throw ValidationError("Give a duration, or --until.") }
            if let duration { try ClockCommand.requirePositive(duration) }
            if let timeout, let limit = Duration(text: timeout), limit > Self.longestTimeout {
                throw ValidationError("--timeout: \(timeout.quoted) is longer than 5m, the longest that the server waits")
            }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.waitForClock, ["until": until, "for": duration, "timeout": timeout], as: ClockText.whole)
        }
    }
}
