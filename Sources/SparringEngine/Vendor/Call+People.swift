public import GRDB
import SparringContract
import SparringJSON
import SparringJournal
public import SparringSandbox

extension Call {
    /// Records that this call proves who is behind a name, such as a visitor's id or a login hint. Rules and the journal's views then count the name's calls
    /// as that person's, back to the first one if nobody held the name before. This lasts until the person signs out or another person proves the name.
    /// Draws and ordinals still go by the name.
    ///
    /// Call it only while deciding.
    public func proves(_ name: String, is actor: String, _ db: Database) throws {
        let (name, actor) = (name.laneName, actor.laneName)
        // No lane is that long, so no call can carry such a name.
        guard max(name.utf8.count, actor.utf8.count) <= Sandbox.laneNameLimit,
            try sandbox.aliases.prove(name, is: actor, at: entry, db), name != actor
        else { return }
        notes.add(person: ["name": .string(name), "actor": .string(actor)])
    }

    /// Makes a socket someone's (`Socket.identify(as:)`), its opening included, even if that named nobody.
    ///
    /// Call it only while deciding.
    public func identify(_ socket: Socket, as actor: String, _ db: Database) throws {
        let isNamed = socket.lane != socket.opener.qualifiedName
        socket.identify(as: actor)
        if !isNamed { try proves(People.name(ofSocket: socket.number, process: sandbox.process), is: actor, db) }
    }

    /// Records that the person signs out: later calls under their names may be anybody's.
    public func signsOut(_ actor: String, _ db: Database) throws {
        if try sandbox.aliases.signOut(actor.laneName, at: entry, db) {
            notes.add(person: ["actor": .string(actor.laneName), "until": "here"])
        }
    }
}

extension Occasion {
    /// Records that the person is signed out: later calls under their names may be anybody's.
    public func signsOut(_ actor: String, _ db: Database) throws {
        _ = try sandbox.aliases.signOut(actor.laneName, at: try sandbox.journal.next(db), db)
    }
}
