import GRDB

extension Journal {
    /// Gives another journal, which has nothing yet, the entries up to a number, under their numbers, and what is kept of those that have left this one.
    func copy(to other: Journal, upTo number: Int, _ db: Database) throws {
        let shift = other.places.lowerBound - places.lowerBound
        try db.execute(
            sql: """
                INSERT INTO journal (place, sandbox, kind, operation, lane, ordinal, record)
                SELECT place + ?, ?, kind, operation, lane, ordinal, record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place
                """, arguments: [shift, other.sandbox, places.lowerBound, places.lowerBound + Int64(number)])
        try db.execute(
            sql: "INSERT INTO lane (sandbox, name, ordinal) SELECT ?, name, ordinal FROM lane WHERE sandbox = ?",
            arguments: [other.sandbox, sandbox])
        try db.execute(
            sql: "UPDATE sandbox SET (journal_floor, pruned) = (SELECT journal_floor, pruned FROM sandbox WHERE id = ?) WHERE id = ?",
            arguments: [sandbox, other.sandbox])
    }
}
