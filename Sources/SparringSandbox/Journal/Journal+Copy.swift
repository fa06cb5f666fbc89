import GRDB

extension Journal {
    /// Gives another journal, whose sandbox is not there yet, some of the entries up to a number, under their numbers.
    ///
    /// - Parameter reached: what has been copied; 0: nothing.
    /// - Returns: how far that came; nil: there is nothing more.
    func copy(to other: Journal, after reached: Int, upTo number: Int, _ db: Database) throws -> Int? {
        try requireSandbox()
        guard reached < number, let (last, _) = try piece(in: place(reached) + 1...place(number), db) else { return nil }
        try db.execute(
            sql: """
                INSERT INTO journal (place, sandbox, kind, operation, lane, ordinal, record)
                SELECT place + ?, ?, kind, operation, lane, ordinal, record FROM journal WHERE place BETWEEN ? AND ? ORDER BY place
                """,
            arguments: [other.places.lowerBound - places.lowerBound, other.sandbox, place(reached) + 1, last])
        return Int(last - places.lowerBound)
    }

    /// Ends the copying, once the other sandbox is there: it gets what is kept of entries that have left this journal, and those that left meanwhile leave it.
    /// The other sandbox cannot be shown as it was before its last entry.
    ///
    /// - Returns: whether any have left the other journal.
    func finishCopy(to other: Journal, upTo number: Int, _ db: Database) throws -> Bool {
        try requireSandbox()
        try db.execute(
            sql: "INSERT INTO lane (sandbox, name, ordinal) SELECT ?, name, ordinal FROM lane WHERE sandbox = ?",
            arguments: [other.sandbox, sandbox])
        try db.execute(
            sql: """
                UPDATE sandbox SET (journal_floor, pruned, history_floor) = (SELECT journal_floor, pruned, ? FROM sandbox WHERE id = ?) WHERE id = ?
                """, arguments: [number, sandbox, other.sandbox])
        let floor = try losses(db).floor
        try db.execute(
            sql: "DELETE FROM journal WHERE place BETWEEN ? AND ?", arguments: [other.places.lowerBound, other.place(floor)])
        return db.changesCount > 0
    }

    /// Removes all entries, of a sandbox that has not come about.
    func drop(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM journal WHERE place BETWEEN ? AND ?", arguments: places.ends)
    }

    /// Removes what an earlier process was copying when it ended: sandboxes are made one at a time, so that it comes after all others.
    static func dropUnfinished(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM journal WHERE place >= (SELECT ifnull(max(position), -1) + 1 << 40 FROM sandbox)")
    }
}
