import ArgumentParser
import SparringAdmin
import SparringJSON
import SparringJournal
import SparringSandbox

/// `sparring journal`
struct JournalCommand: ServerCommand {
    static let abstract = "Print what happened, or watch it."
    static let discussion = """
        On a terminal, prints one line per entry, for the newest 200 entries; in a pipe, and with --verbose, also prints the reason for \
        each answer.
          sparring journal --follow
          sparring journal --tail 20 --verbose
          sparring journal --unplaced
          sparring journal --operation liveperson.authenticateV2 --since 40
          sparring journal --json-lines > traffic.jsonl
          sparring journal show 42
          sparring journal resend 42
          sparring contract export har > traffic.har
        With --json, prints a page; give its 'next' as --since to get the following page. JSON has placeholders instead of credentials.
        """
    static var subcommands: [any ParsableCommand.Type] { [Show.command, Resend.command, World.command, Mark.command, Clear.command] }

    @Flag(name: .shortAndLong, help: "Print new entries as they arrive, until you interrupt it or --limit is reached.") var follow = false
    @Option(help: "Only entries from this number on.") var since: Int?
    @Option(help: "Only entries of this operation, such as identity.token.", completion: KnownNames.operations) var operation: String?
    @Option(help: "Only entries of this kind (values: \(kinds.joined(separator: ", "))).", completion: .list(kinds)) var kind: String?
    @Option(help: "Only entries of this lane, such as a user.") var lane: String?
    @Option(help: "Print at most this many, starting with the first.") var limit: Int?
    @Option(help: "Print only this many of the newest entries. Default on a terminal: 200.") var tail: Int?
    @Flag(name: .shortAndLong, help: "Also print requests, answers and the contents of tokens.") var verbose = false
    @Flag(help: "Calls that matched no operation or no sandbox, and TLS connections without a call.") var unplaced = false
    @Flag(help: "Print JSON, one entry per line.") var jsonLines = false
    @Flag(help: "Hide credentials in text too, so that you can share it.") var redact = false
    @Flag(help: "Print credentials in JSON, as they were sent.") var withCredentials = false
    @Option(help: ArgumentHelp("Read a saved database, without a server.", valueName: "file"), completion: .file()) var database: String?
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var sandbox: SandboxOptions

    /// Entries that the server gives at once.
    private static let longestPage = 10_000

    private static let kinds = JournalEntry.Kind.allCases.map(\.rawValue)

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if let limit, limit > Self.longestPage, connection.json, !follow {
            throw ValidationError(
                "--json prints one page, of at most \(Self.longestPage) entries; its 'next' is the --since of the following one.")
        }
        if let tail, !(1...Self.longestPage).contains(tail) { throw ValidationError("--tail must be from 1 to \(Self.longestPage).") }
        if tail != nil, since != nil || limit != nil {
            throw ValidationError("--tail counts from the end; --since and --limit count from the beginning.")
        }
        if unplaced, since != nil || operation != nil || kind != nil || lane != nil || database != nil {
            throw ValidationError(
                "--unplaced lists calls that belong to no sandbox: combine it only with --follow, --limit, --json, --json-lines, "
                    + "--redact and --with-credentials."
            )
        }
        try connection.exclude(database: database)
        if database != nil, follow { throw ValidationError("--follow waits for a running server; a saved database has ended.") }
        if jsonLines, connection.json { throw ValidationError("--json prints a page, --json-lines entries: give one of them.") }
        if redact, withCredentials { throw ValidationError("--redact and --with-credentials cannot be used together.") }
        if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
    }

    func run(_ server: AdminClient) async throws {
        var printer = printer
        if unplaced { return try await listUnplaced(server, &printer) }
        if let database { return try saved(database, &printer) }
        if connection.json, !follow { return try Terminal.print(printer.text(document: try await page(server, from: since, limit).json)) }
        var left = limit ?? .max
        var next = since
        var tail = tail ?? defaultTail
        repeat {
            let size = limit.map { _ in min(left, Self.longestPage) }
            let page = try await self.page(server, from: next, size, tail: tail).json
            if next == nil, let pruned = page["pruned"]?.integer, pruned > 0, !connection.json {
                try Terminal.print(Terminal.styled("\(pruned) entries were pruned to keep the journal bounded", .dim))
            }
            next = try server.next(after: page)
            let printed = try print(page, atMost: left, &printer)
            left -= printed
            if printed == 0 || tail != nil { break }
            tail = nil
        } while left > 0
        try printer.end { try Terminal.print($0) }
        if left == limit ?? .max, !follow {
            complainOfNothing(in: sandbox.name)
            if lane != nil { try await hint(server) }
        }
        while follow, left > 0 {
            switch try await wait(server, from: next) {
            case .page(let page):
                next = try server.next(after: page)
                left -= try print(page, of: lane, atMost: left, &printer)
            case .nothing: if try await hasRestarted(server, before: next) { next = nil }
            case .reset: next = nil
            case .stopped: return Terminal.complain("sparring: the server stops")
            }
        }
    }

    private func complainOfNothing(in sandbox: String) {
        guard !jsonLines else { return }
        let isChosen = operation != nil || kind != nil || lane != nil
        Terminal.complain(
            "sparring: " + (isChosen ? "no entry of sandbox '\(sandbox)' matches" : "the journal of sandbox '\(sandbox)' is empty"))
    }

    /// Says which lanes there are, where the one that was asked for is none of them.
    private func hint(_ server: AdminClient) async throws {
        let newest = try await server.call(.readJournal, in: sandbox.name, ["tail": LaneHint.mostEntries]).json
        hint(of: newest["entries"]?.array ?? [])
    }

    private func hint(of entries: [JSON]) {
        guard let lane, let words = LaneHint(entries).words(forEntriesOf: lane) else { return }
        Terminal.complain("sparring: " + Terminal.printable(words))
    }

    private func page(_ server: AdminClient, from number: Int?, _ limit: Int?, tail: Int? = nil) async throws -> AdminAnswer {
        try await server.call(
            .readJournal, in: sandbox.name,
            ["since": number, "operation": operation, "kind": kind, "lane": lane, "limit": limit, "tail": tail])
    }

    private enum Waited {
        case page(JSON)
        /// For a while.
        case nothing
        /// The sandbox counts from 1 again.
        case reset
        case stopped
    }

    private func wait(_ server: AdminClient, from number: Int?) async throws -> Waited {
        do {
            let page = try await server.call(
                .waitForJournal, in: sandbox.name, ["since": number, "operation": operation, "kind": kind, "timeout": "10s"]
            ).json
            return page["timedOut"] == true ? .nothing : .page(page)
        } catch let failure as CommandFailure {
            switch (failure.json?["status"]?.integer, failure.json?["because"]?.string) {
            case (410, "server-stops"): return .stopped
            case (410, "sandbox-reset"): return .reset
            default: throw failure
            }
        }
    }

    /// A sandbox that was reset, or deleted and made again, counts its entries from 1.
    private func hasRestarted(_ server: AdminClient, before next: Int?) async throws -> Bool {
        guard let next, next > 1, next != since else { return false }
        do {
            try await server.call(.readJournalEntry, in: sandbox.name, ["number": next - 1])
            return false
        } catch let failure as CommandFailure where failure.json?["type"]?.string?.hasSuffix("entry-unknown") == true {
            return true
        } catch let failure as CommandFailure where failure.json?["status"]?.integer == 410 {
            return false
        }
    }

    /// Prints a page's entries and returns how many they were.
    ///
    /// - Parameter lane: the entries of others are left out, as a wait knows no lane; nil: the server has left them out.
    private func print(_ page: JSON, of lane: String? = nil, atMost limit: Int, _ printer: inout JournalPrinter) throws -> Int {
        let entries = (page["entries"]?.array ?? []).filter { entry in
            lane == nil || [entry["actor"]?.string, entry["lane"]?.string].contains(lane)
        }.prefix(limit)
        for entry in entries { try printer.print(entry) { try Terminal.print($0) } }
        return entries.count
    }

    private var printer: JournalPrinter {
        let form: JournalPrinter.Form =
            jsonLines || connection.json ? .json : verbose ? .verbose : Terminal.width.map { .brief(width: $0) } ?? .full
        let isJSON = if case .json = form { true } else { false }
        var printer = JournalPrinter(form: form, redaction: isJSON && !withCredentials ? Redaction(.recording) : redact ? Redaction() : nil)
        printer.isWhole = !follow
        return printer
    }

    /// A terminal that asks for nothing else is shown the newest.
    private var defaultTail: Int? { Terminal.isInteractive && since == nil && limit == nil && !jsonLines ? 200 : nil }

    private func listUnplaced(_ server: AdminClient, _ printer: inout JournalPrinter) async throws {
        let answer = try await server.call(.listUnplaced, ["limit": limit])
        if connection.json, !follow { return try Terminal.print(printer.text(document: try answer.json)) }
        var page = try answer.json
        var (last, left) = (-1, limit ?? .max)
        while true {
            for entry in page["entries"]?.array ?? [] where left > 0 {
                let number = entry["number"]?.integer(in: 0...Int.max) ?? 0
                guard number > last else { continue }
                (last, left) = (number, left - 1)
                try Terminal.print(printer.text(unplaced: entry))
            }
            guard follow, left > 0 else { return }
            // What fits nowhere belongs to no journal that could be waited for.
            try await Task.sleep(for: .seconds(1))
            page = try await server.call(.listUnplaced).json
        }
    }

    private func saved(_ file: String, _ printer: inout JournalPrinter) throws {
        try sandbox.read(file) { saved, name in
            let entries = try saved.entries(
                name, since: since ?? 0, operation: operation, kind: kind, lane: lane, limit: tail ?? defaultTail ?? limit,
                isTail: (tail ?? defaultTail) != nil, namesPeople: true)
            for entry in entries { try printer.print(entry) { try Terminal.print($0) } }
            try printer.end { try Terminal.print($0) }
            guard entries.isEmpty else { return }
            complainOfNothing(in: name)
            if lane != nil { hint(of: try saved.entries(name, limit: LaneHint.mostEntries, isTail: true, namesPeople: true)) }
        }
    }
}
