public import GRDB
import SparringJSON

extension Call {
    /// The call proves who is behind a name that calls carry, such as a visitor's id or a login hint: rules and the journal's views put the name's calls to
    /// that person, back to the first of them where nobody held the name before. It lasts until the person signs out or somebody else proves the name.
    /// Draws and ordinals go by the name as before.
    ///
    /// Only within the deciding half.
    public func proves(_ name: String, is actor: String, _ db: Database) throws {
        let (name, actor) = (name.laneName, actor.laneName)
        // Longer ones are no lanes, so that no call carries them.
        guard max(name.utf8.count, actor.utf8.count) <= Sandbox.laneNameLimit,
            try sandbox.aliases.prove(name, is: actor, at: entry, db), name != actor
        else { return }
        people.add(["name": .string(name), "actor": .string(actor)])
    }

    /// The person signs out: what comes later under the names that they held may be anybody's.
    public func signsOut(_ actor: String, _ db: Database) throws {
        if try sandbox.aliases.signOut(actor.laneName, at: entry, db) { people.add(["actor": .string(actor.laneName), "until": "here"]) }
    }
}

extension Intervention {
    /// The person is signed out: what comes later under the names that they held may be anybody's.
    public func signsOut(_ actor: String, _ db: Database) throws {
        _ = try sandbox.aliases.signOut(actor.laneName, at: try sandbox.journal.next(db), db)
    }
}
