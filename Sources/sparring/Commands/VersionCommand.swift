import ArgumentParser
import SparringJSON
import SparringSandbox

/// `sparring version`
struct VersionCommand: ServerCommand {
    static let abstract = "Print the version of this program and, if a server answers, of the server."
    static let discussion = """
        'sparring --version' contacts no server.
          sparring version --json
        """

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run(_ server: AdminClient) async throws {
        let answered: String?
        let line: String
        do {
            answered = try await server.call(.readVersion, timeout: .seconds(5)).json["version"]?.string
            line = "server \(Terminal.printable(answered ?? "without a version")) at \(server.baseURL)"
        } catch let failure as CommandFailure {
            answered = nil
            line = failure.status == 69 ? "no server at \(server.baseURL)" : "server at \(server.baseURL): \(failure.text)"
        }
        let both: JSON = [
            "client": .string(sparringVersion), "server": answered.map { .string($0) } ?? .null, "url": .string(server.baseURL),
            "sqlite": ["version": .string(SQLiteVersion.text), "walResetFix": .bool(SQLiteVersion.hasWALResetFix)],
        ]
        let fix = SQLiteVersion.hasWALResetFix ? "" : " (has the WAL-reset bug that 3.51.3 mends; Sparring avoids it)"
        let sqlite = "SQLite \(SQLiteVersion.text)\(fix)"
        try Terminal.print(connection.json ? both.text : "sparring \(Sparring.configuration.version)\n\(sqlite)\n\(line)")
    }
}
