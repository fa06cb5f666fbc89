import SparringJSON

extension MCPTool {
    /// The sandbox's clock.
    static let time = [
        MCPTool(
            name: "set_clock", title: "Freeze or run the clock",
            about: """
                Freezes a sandbox's clock, or lets it run: as fast as the machine's, or at a rate. Tokens, codes, delays, agents' scripts and pushes follow \
                this clock.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(name: "mode", form: .choice(["frozen", "real", "rate"]), about: "How it goes.", isRequired: true),
                ToolParameter(name: "rate", form: .rate, about: "Sandbox seconds for each second, with mode rate."),
                ToolParameter(
                    name: "now", form: .text,
                    about: "What it shows, with mode frozen, such as 2026-11-21T07:00:00Z. Default: what it shows already."),
                .sandbox,
            ]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let clock = try await bench.client.put(AdminPath.clock(name), arguments.form("mode", "rate", "now")).json
            return ToolAnswer(text: ClockText.whole(clock), content: clock)
        },
        MCPTool(
            name: "advance_clock", title: "Advance the clock",
            about: """
                Moves a sandbox's clock ahead and runs what falls due on the way, in order: tokens expire, delays end, pushes are sent. Returns when that is \
                done; it never waits for a client.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(name: "by", form: .text, about: "How far: 200ms, 2s, 10m, 1h, 7d, or PT10M.", isRequired: true),
                ToolParameter(name: "keepSockets", form: .flag, about: "End no open socket for having been idle on the way."),
                .sandbox,
            ]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let advanced = try await bench.client.post(AdminPath.advance(name), arguments.form("by", "keepSockets"), timeout: .seconds(300))
                .json
            return ToolAnswer(text: ClockText.advanced(advanced), content: advanced)
        },
    ]
}
