package import GRDB

/// Faults whose replay is uncertain when several clients call at once.
package enum FaultCaveats {
    /// The caveat about such a fault.
    static let words =
        "counts the calls of all lanes together, so which call it strikes depends on who comes first; with per=lane it replays exactly"

    static func areDue(_ trigger: Fault.Trigger) -> Bool {
        trigger.per == .sandbox && (trigger.times != nil || trigger.skip > 0 || trigger.every > 1)
    }

    /// The same for the text of a fault, as a database keeps it that is read without contracts.
    private static func areDue(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        func has(_ names: String...) -> Bool { words.contains { word in names.contains { word.hasPrefix($0) } } }
        return has("times=", "skip=", "every=") && !has("per=lane")
    }

    /// A sentence for each such fault that the sandbox has had.
    package static func read(_ sandbox: String, _ db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "SELECT number, text FROM fault WHERE sandbox = ? ORDER BY number", arguments: [sandbox])
            .compactMap { row in areDue(row[1]) ? "fault \(row[0] as Int) (\(row[1] as String)) \(words)" : nil }
    }
}
