import SparringJSON
import SparringJournal
import SparringVerdict

/// The tools that are more than a call: the events of a run, and the judgement on them.
extension ToolCall {
    func readJournal() async throws -> ToolAnswer {
        if flag("unplaced") {
            var redaction = Redaction()
            let entries = try await bench.server.unplaced().suffix(50).map { redaction.document($0) }
            let lines = entries.map { EntryLine.text(unplaced: $0) }
            return ToolAnswer(
                text: lines.isEmpty ? "every call matched a sandbox and an operation" : lines.joined(separator: "\n"),
                content: ["entries": .array(entries)])
        }
        let (since, tail, limit) = (self["since"]?.integer, self["tail"]?.integer, self["limit"]?.integer)
        if since != nil, tail != nil { throw CommandFailure(text: "since and tail cannot be used together", status: 1) }
        let page = try await bench.client.call(
            .readJournal, in: try await sandbox,
            [
                "since": since, "limit": since == nil ? nil : limit ?? 50, "tail": since == nil ? tail ?? limit ?? 50 : nil,
                "operation": text("operation"), "lane": text("lane"), "kind": text("kind"),
            ]
        ).json
        var redaction = Redaction()
        let entries = (page["entries"]?.array ?? []).map { redaction.document($0) }
        let isVerbose = flag("verbose")
        var printer = JournalPrinter(form: isVerbose ? .verbose : .full)
        return ToolAnswer(
            text: entries.isEmpty ? "nothing has happened yet that fits" : entries.map { printer.text($0) }.joined(separator: "\n"),
            content: .members([
                "entries": .array(isVerbose ? entries : entries.map(Self.brief)), "next": page["next"], "pruned": page["pruned"],
            ]))
    }

    /// An entry without heads and bodies.
    private static func brief(_ entry: JSON) -> JSON {
        var brief = entry
        brief["request"] = entry["request"].map { .members(["method": $0["method"], "target": $0["target"]]) }
        brief["answer"] = entry["answer"].map { .members(["status": $0["status"], "name": $0["name"], "delivery": $0["delivery"]]) }
        return brief
    }

    func judge() async throws -> ToolAnswer {
        let name = try await sandbox
        let hasEnded = flag("clientHasEnded")
        if hasEnded { try await bench.end(name) }
        let report = try await bench.server.judge(name, body, settle: text("settle"), clientHasEnded: hasEnded)
        let suite = SuiteReport(report, version: sparringVersion, now: .now)
        var content = report.json
        // The rules that have something to say.
        content["verdicts"] = .array(
            (content["verdicts"]?.array ?? []).filter { $0["result"] != "not-exercised" || $0["expected"] == true })
        return ToolAnswer(text: suite.text(colour: false), content: content)
    }
}
