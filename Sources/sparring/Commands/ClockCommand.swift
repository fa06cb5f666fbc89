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
            abstract: "Show what time it is in the sandbox and what is due.", discussion: "  sparring clock show --sandbox checkout")

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.get(AdminPath.clock(sandbox.name)), as: ClockText.whole)
        }
    }

    struct Advance: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move the clock ahead, running what falls due on the way.",
            discussion: """
                Returns when it is settled; it never waits for a client.
                  sparring clock advance 10m
                  sparring clock advance 61m --keep-sockets   # sockets outlive their token
                """)

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String
        @Flag(help: "End no open socket for having been idle on the way.") var keepSockets = false
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form = JSON.members(["by": .string(duration), "keepSockets": keepSockets ? true : nil])
            let advanced = try await server.post(AdminPath.advance(sandbox.name), form, timeout: .seconds(300))
            try show(advanced, as: ClockText.advanced)
        }
    }

    struct Freeze: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop the clock.", discussion: "  sparring clock freeze\n  sparring clock freeze --at 2026-11-21T07:00:00Z")

        @Option(help: ArgumentHelp("What it shall show. Default: what it shows.", valueName: "time")) var at: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form = JSON.members(["mode": "frozen", "now": at.map { .string($0) }])
            try show(try await server.put(AdminPath.clock(sandbox.name), form), as: ClockText.whole)
        }
    }

    struct Resume: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the clock run from what it shows.",
            discussion: "  sparring clock resume\n  sparring clock resume --rate 60\n  sparring clock resume --offset=-5m")

        @Option(help: "Sandbox seconds for each second. Default: as fast as the machine's clock.") var rate: Double?
        @Option(help: "How far ahead of the machine's clock it is then, such as 5m; --offset=-5m: behind. Default: where it stands.")
        var offset: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let form: JSON = .members([
                "mode": rate == nil ? "real" : "rate", "rate": rate.map { .number($0) }, "offset": offset.map { .string($0) },
            ])
            try show(try await server.put(AdminPath.clock(sandbox.name), form), as: ClockText.whole)
        }
    }
}

extension ClockCommand {
    struct Wait: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sleep until the sandbox's clock has gone so far, or has come to a time.",
            discussion: """
                Returns at once where the clock is there already, and fails where it does not come there in time.
                  sparring clock wait 31s --timeout 1m
                  sparring clock wait --until 2026-11-21T07:00:31Z
                """)

        @Argument(help: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.") var duration: String?
        @Option(help: ArgumentHelp("What the clock is to show.", valueName: "time")) var until: String?
        @Option(help: ArgumentHelp("How long to wait by the machine's clock, 5m at most. Default: 5s.", valueName: "duration"))
        var timeout: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if (duration == nil) == (until == nil) { throw ValidationError("Give a duration, or --until.") }
        }

        func run(_ server: AdminClient) async throws {
            let path = AdminPath.with(AdminPath.clockWait(sandbox.name), query: ["until": until, "for": duration, "timeout": timeout])
            try show(try await server.get(path, timeout: .seconds(330)), as: ClockText.whole)
        }
    }
}
