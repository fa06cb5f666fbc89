import SparringJSON
import SparringJournal
import SparringVerdict

extension MCPTool {
    /// What happened, and what to think of it.
    static let evidence = [
        MCPTool(
            name: "read_journal", title: "Read the journal",
            about: """
                Shows what happened in a sandbox: each call with its answer and the reason for it, faults that struck, violations of the contract, pushes and \
                clock changes. With verbose also headers, bodies and decoded tokens; credentials are hidden. With unplaced it shows calls to this server \
                that matched no sandbox or operation, and failed TLS connections, with the nearest known.
                """,
            effect: .reads,
            parameters: [
                ToolParameter(name: "since", form: .integer(0...9_007_199_254_740_991), about: "Only entries from this number on."),
                ToolParameter(name: "tail", form: .integer(1...500), about: "The newest so many. Default: 50, without since."),
                ToolParameter(name: "limit", form: .integer(1...500), about: "At most so many, with since. Default: 50."),
                ToolParameter(name: "operation", form: .text, about: "Only entries of this operation, such as identity.token."),
                ToolParameter(name: "lane", form: .text, about: "Only entries of this lane: who called."),
                ToolParameter(name: "kind", form: .choice(JournalEntry.Kind.allCases.map(\.rawValue)), about: "Only entries of this kind."),
                ToolParameter(name: "verbose", form: .flag, about: "Also what was sent and answered."),
                ToolParameter(name: "unplaced", form: .flag, about: "What matched nothing, of all sandboxes."),
                .sandbox,
            ]
        ) { arguments, bench in
            if arguments.flag("unplaced") {
                let entries = try await bench.server.unplaced().suffix(50).map { Redaction.entry($0) }
                let lines = entries.map { EntryLine.text(unplaced: $0) }
                return ToolAnswer(
                    text: lines.isEmpty ? "every call matched a sandbox and an operation" : lines.joined(separator: "\n"),
                    content: ["entries": .array(entries)])
            }
            let since = arguments.integer("since")
            if since != nil, arguments["tail"] != nil { throw CommandFailure(text: "since and tail exclude each other", status: 1) }
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let path = AdminPath.with(
                AdminPath.journal(name),
                query: [
                    "since": since.map { String($0) }, "limit": since.map { _ in String(arguments.integer("limit") ?? 50) },
                    "tail": since == nil ? String(arguments.integer("tail") ?? arguments.integer("limit") ?? 50) : nil,
                    "operation": arguments.text("operation"), "lane": arguments.text("lane"), "kind": arguments.text("kind"),
                ])
            let page = try await bench.client.get(path).json
            let entries = (page["entries"]?.array ?? []).map { Redaction.entry($0) }
            let isVerbose = arguments.flag("verbose")
            let printer = JournalPrinter(form: isVerbose ? .verbose : .full, redacts: false)
            return ToolAnswer(
                text: entries.isEmpty ? "nothing has happened yet that fits" : entries.map { printer.text($0) }.joined(separator: "\n"),
                content: .members([
                    "entries": .array(isVerbose ? entries : entries.map(brief)), "next": page["next"], "pruned": page["pruned"],
                ]))
        },
        MCPTool(
            name: "get_verdict", title: "Judge the client",
            about: """
                Judges whether the client in a sandbox retried, stopped, reconnected, re-authenticated and signed out as the vendors' documents ask, with \
                the journal entries that show it and, for retries, each attempt with its due time. result is pass, fail, not-exercised or inconclusive.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(
                    name: "clientHasEnded", form: .flag,
                    about: "The client's process has ended, so nothing more will come: what it has not done by now it will not do."),
                ToolParameter(
                    name: "settle", form: .text, about: "Wait up to this long until nothing is undecided, such as 10s; 10m at most."),
                ToolParameter(name: "rules", form: .texts, about: "Only these rules. Default: all that apply."),
                ToolParameter(
                    name: "platform", form: .choice(["ios", "android", "web", "server"]),
                    about: "What the client is. Default: what it shows itself to be."),
                ToolParameter(name: "flow", form: .choice(["code", "implicit"]), about: "How the client signs in. Default: as it shows."),
                ToolParameter(
                    name: "timeBasis", form: .choice(["wall", "sandbox"]), about: "The clock that delays are measured on. Default: wall."),
                ToolParameter(
                    name: "timeScale", form: .rate,
                    about: "0.1 for clients whose timers run at a tenth of their production values. Default: 1."),
                ToolParameter(name: "policies", form: .object, about: "As create_sandbox has them; these win."),
                ToolParameter(
                    name: "contract", form: .choice(["fail", "warn", "off"]), about: "What a violation of the contract does. Default: fail."
                ),
                .sandbox,
            ]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let hasEnded = arguments.flag("clientHasEnded")
            if hasEnded { try await bench.end(name) }
            let form = arguments.form("rules", "platform", "flow", "timeBasis", "timeScale", "policies", "contract")
            let report = try await bench.server.judge(name, form, settle: arguments.text("settle"), clientHasEnded: hasEnded)
            let suite = SuiteReport(report, version: sparringVersion, now: .now)
            var content = report.json
            // The rules that have something to say.
            content["verdicts"] = .array(
                (content["verdicts"]?.array ?? []).filter { $0["result"] != "not-exercised" || $0["expected"] == true })
            return ToolAnswer(text: suite.text(colour: false), content: content)
        },
    ]

    /// An entry without heads and bodies.
    private static func brief(_ entry: JSON) -> JSON {
        var brief = entry
        brief["request"] = entry["request"].map { .members(["method": $0["method"], "target": $0["target"]]) }
        brief["answer"] = entry["answer"].map { .members(["status": $0["status"], "name": $0["name"], "delivery": $0["delivery"]]) }
        return brief
    }
}
