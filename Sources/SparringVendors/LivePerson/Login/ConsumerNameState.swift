import GRDB
import SparringJSON

/// What those who have signed in are called.
enum ConsumerNameState {
    /// The consumer that the brand or LivePerson calls so; of several, the one who signed in last.
    static func newest(called name: String, _ sandbox: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT id FROM liveperson_consumer WHERE sandbox = ? AND (id = ? OR sub = ?) ORDER BY last_seen DESC LIMIT 1",
            arguments: [sandbox, name, name])
    }

    static func names(_ sandbox: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT DISTINCT coalesce(sub, id) FROM liveperson_consumer WHERE sandbox = ?", arguments: [sandbox])
    }

    /// Nobody who has signed in is called as the member `consumer` says.
    static func unknown(_ name: String, _ sandbox: String, _ db: Database) throws -> ConfigurationError {
        let hint = Nearest.hint(for: name, in: try names(sandbox, db))
        return ConfigurationError(JSONPointer(tokens: ["consumer"]), "no consumer '\(name)' has signed in" + hint)
    }
}
