import ArgumentParser
import SparringAdmin
import SparringJSON

/// The entries of a journal that are exported.
struct JournalSource: ParsableArguments {
    @Option(help: "Only entries from this number on.") var since: Int?
    @Option(help: "Only entries of this lane, such as a user.") var lane: String?
    @Flag(help: "Write credentials as they were sent, instead of placeholders.") var withCredentials = false
    @Option(help: ArgumentHelp("Read a saved database, without a server.", valueName: "file"), completion: .file()) var database: String?
    @OptionGroup var sandbox: SandboxOptions

    func validate() throws {
        if let since, since < 0 { throw ValidationError("--since must be 0 or more.") }
    }

    /// Entries of a page.
    private static let page = 10_000

    func entries(_ server: AdminClient) async throws -> [JSON] { try await recording(server).entries }

    /// The entries, and the sandbox in which they were made.
    func recording(_ server: AdminClient) async throws -> (entries: [JSON], sandbox: RecordedSandbox?) {
        var found: [JSON] = []
        let made: JSON
        if let database {
            (found, made) = try sandbox.read(database) { saved, name in
                (try saved.entries(name, since: since ?? 0, lane: lane), try saved.sandbox(name))
            }
        } else {
            found = try await Self.fetched(sandbox.name, since: since ?? 0, lane: lane, server)
            made = try await server.call(.readSandbox, in: sandbox.name, ["made": "true"]).json
        }
        return RecordedSandbox.recording(found, made, withCredentials: withCredentials)
    }

    static func fetched(_ sandbox: String, since: Int = 0, lane: String? = nil, _ server: AdminClient) async throws -> [JSON] {
        var (found, next): ([JSON], Int) = ([], since)
        while true {
            let page = try await server.call(.readJournal, in: sandbox, ["since": next, "lane": lane, "limit": Self.page]).json
            let entries = page["entries"]?.array ?? []
            found += entries
            guard let after = page["next"]?.integer(in: 0...Int.max), !entries.isEmpty, after > next else { return found }
            next = after
        }
    }
}
