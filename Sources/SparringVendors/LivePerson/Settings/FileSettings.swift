import SparringEngine
import SparringJSON
import SparringJournal

/// How an account's files are shared: its member `files`.
struct FileSettings: Sendable {
    static let member = "files"

    /// How long a URL serves (LivePerson reference 5.15: a minute).
    var urlLifetime: Duration

    init(_ json: JSON?) throws(ConfigurationError) {
        let members = try Members(json ?? [:], at: JSONPointer(tokens: [Self.member]), known: ["urlLifetime"])
        urlLifetime = try members.duration("urlLifetime") ?? .seconds(60)
        guard urlLifetime >= .seconds(1) else { throw members.error("urlLifetime", "at least a second") }
    }

    var json: JSON { ["urlLifetime": .string(urlLifetime.shortText)] }
}
