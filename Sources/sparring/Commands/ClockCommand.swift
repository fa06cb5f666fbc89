import ArgumentParser
import SparringJSON

/// `sparring clock`
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show, freeze, advance and resume a sandbox's clock, and sleep on it.",
        discussion: """
            Tokens and codes expire, and delays pass, on the sandbox's clock: no test has to wait.
              sparring clock advance 61m
            """,
        subcommands: [Show.self, Advance.self, Freeze.self, Resume.self, Wait.self])

    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the sandbox's time and its scheduled work.", discussion: "  sparring clock show --sandbox checkout")

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.readClock, in: sandbox.name), as: ClockText.whole)
        }
    }

    struct Advance: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "advance",
            abstract: "Move the clock ahead, and run the work that falls due on the way.",
            discussion: """
                Returns when that work has run; it never waits for a client.
                  sparring clock advance 10m
                  sparring clock advance 61m --keep-sockets   # no socket ends for being idle
                """)

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String
        @Flag(help: "Close no open socket for being idle on the way.") var keepSockets = false
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form = JSON.members(["by": .string(duration), "keepSockets": keepSockets ? true : nil])
            let advanced = try await server.call(.advanceClock, in: sandbox.name, body: form)
            try show(advanced, as: ClockText.advanced)
        }
    }

    struct Freeze: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "freeze",
            abstract: "Stop the clock.", discussion: "  sparring clock freeze\n  sparring clock freeze --at 2026-11-21T07:00:00Z")

        @Option(help: ArgumentHelp("The time to show. Default: its present time.", valueName: "time")) var at: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form = JSON.members(["mode": "frozen", "now": at.map { .string($0) }])
            try show(try await server.call(.setClock, in: sandbox.name, body: form), as: ClockText.whole)
        }
    }

    struct Resume: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Let the clock run from its present time.",
            discussion: "  sparring clock resume\n  sparring clock resume --rate 60\n  sparring clock resume --offset=-5m")

        @Option(help: "Sandbox seconds for each second. Default: as fast as the machine's clock.") var rate: Double?
        @Option(help: "Set it ahead of the machine's clock, such as 5m, or behind: --offset=-5m. Default: it keeps its present time.")
        var offset: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form: JSON = .members([
                "mode": rate == nil ? "real" : "rate", "rate": rate.map { .number($0) }, "offset": offset.map { .string($0) },
            ])
            try show(try await server.call(.setClock, in: sandbox.name, body: form), as: ClockText.whole)
        }
    }
}

extension ClockCommand {
    struct Wait: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "wait",
            abstract: "Sleep until the sandbox's clock has advanced by a duration, or has reached a time.",
            discussion: """
                Returns at once if the clock is already there, and fails if it does not get there in time.
                  sparring clock wait 31s --timeout 1m
                  sparring clock wait --until 2026-11-21T07:00:31Z
                """)

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String?
        @Option(help: ArgumentHelp("The time to wait for.", valueName: "time")) var until: String?
        @Option(help: ArgumentHelp("How long to wait by the machine's clock, 5m at most. Default: 5s.", valueName: "duration"))
        var timeout: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if (duration == nil) == (until == nil) { throw ValidationError("Give a duration, or --until.") }
        }

        func run(_ server: AdminClient) async throws {
            let clock = try await server.call(.waitForClock, in: sandbox.name, ["until": until, "for": duration, "timeout": timeout])
            try show(clock, as: ClockText.whole)
        }
    }
}
