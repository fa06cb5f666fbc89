package import GRDB
package import SparringJournal

/// The people proved to be behind the names that a sandbox's calls carry. An alias never renumbers anything: draws, ordinals and generated
/// ids go by the name that the call itself carries.
package struct Aliases: Sendable {
    /// The most holdings that a sandbox keeps; beyond that, the ones that ended first are forgotten.
    static let limit = 20_000

    let sandbox: String

    package init(sandbox: String) { self.sandbox = sandbox }

    /// A call proves who is behind a name, and the previous holder loses it. A name that has been proved to be a person keeps standing for that person: two
    /// people never become one.
    ///
    /// - Parameter entry: the call's number in the journal.
    /// - Returns: whether this changed anything.
    package func prove(_ name: String, is actor: String, at entry: Int, _ db: Database) throws -> Bool {
        let isPerson = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM alias WHERE sandbox = ? AND actor = ?)", arguments: [sandbox, name])
        guard name == actor || isPerson != true else { return false }
        let last = try Row.fetchOne(
            db, sql: "SELECT actor, since, until FROM alias WHERE sandbox = ? AND name = ? ORDER BY since DESC LIMIT 1",
            arguments: [sandbox, name])
        let (holder, until): (String?, Int?) = (last?["actor"], last?["until"])
        if holder == actor {
            // The same person is back, and nobody else has held the name since.
            guard until != nil else { return false }
            try db.execute(
                sql: "UPDATE alias SET until = NULL WHERE sandbox = ? AND name = ? AND since = ?",
                arguments: [sandbox, name, last?["since"]])
            return true
        }
        if holder != nil, until == nil {
            try db.execute(
                sql: "UPDATE alias SET until = ? WHERE sandbox = ? AND name = ? AND until IS NULL", arguments: [entry - 1, sandbox, name])
        }
        try forgetSome(db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO alias (sandbox, name, actor, since) VALUES (?, ?, ?, ?)",
            arguments: [sandbox, name, actor, holder == nil ? 0 : entry])
        return true
    }

    /// Ends all of an actor's holdings but their sockets, which they keep to the end: later calls under those names may be anybody's.
    ///
    /// - Parameter entry: the last one that is still the actor's.
    /// - Returns: whether this changed anything.
    package func signOut(_ actor: String, at entry: Int, _ db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE alias SET until = ? WHERE sandbox = ? AND actor = ? AND name <> actor AND until IS NULL AND name NOT GLOB ?",
            arguments: [entry, sandbox, actor, People.socketPrefix + "*"])
        return db.changesCount > 0
    }

    private func forgetSome(_ db: Database) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM alias WHERE sandbox = ?", arguments: [sandbox]) ?? 0
        guard count >= Self.limit else { return }
        try db.execute(
            sql: """
                DELETE FROM alias WHERE rowid IN
                  (SELECT rowid FROM alias WHERE sandbox = ? ORDER BY until IS NULL, until, since LIMIT ?)
                """, arguments: [sandbox, Self.limit / 10])
    }

    /// All holdings, as they are known now; or only those of some names.
    package func people(named names: Set<String>? = nil, _ db: Database) throws -> People {
        var (condition, arguments): (String, StatementArguments) = ("sandbox = ?", [sandbox])
        if let names {
            condition += " AND name IN (\(databaseQuestionMarks(count: names.count)))"
            arguments += StatementArguments(names)
        }
        let rows = try Row.fetchAll(
            db, sql: "SELECT name, actor, since, until FROM alias WHERE \(condition) ORDER BY since", arguments: arguments)
        return People(rows.map { People.Holding(name: $0["name"], actor: $0["actor"], since: $0["since"], until: $0["until"]) })
    }
}
