import BirdSupport
import GRDB
import HTTPTypes
@testable import SparringAdmin
import SparringContract
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import SparringTestKit
import SparringVerdict
import Support
import Testing

/// The people behind the names under which calls come.
@Suite struct PeopleTests {
    /// The operations, names and people of the journal, in its order.
    private func told(_ entries: [JSON]) -> [String] {
        entries.compactMap { entry in
            guard let operation = entry["operation"]?.string, let lane = entry["lane"]?.string, entry["kind"] != "socket" else {
                return nil
            }
            return "\(operation.dropFirst("parrot.".count)) \(lane)" + (entry["actor"]?.string.map { " is \($0)" } ?? "")
        }
    }

    @Test func `what came under a name before it was proved is the person's, back to its first call`() async throws {
        try await Aviary.run { server in
            let socket = try await server.openCage("egg-7")
            socket.perch("polly")
            _ = try await socket.next()
            let expected = ["issueTicket egg-7 is polly", "openCage egg-7 is polly", "perch egg-7 is polly"]
            #expect(told(try await server.journal("?operation=parrot.perch")) == Array(expected.suffix(1)))
            #expect(told(try await server.journal()) == expected)
            #expect(told(try await server.journal("?lane=polly")) == expected, "a person has the calls of all their names")
            #expect(try await server.journal("?lane=egg-7") == [], "and the name has none of its own")
            let entry = try await server.journal("?operation=parrot.perch")[0]
            #expect(entry["details"]?["people"] == [["name": "egg-7", "actor": "polly"]])
            let number = try #require(entry["number"]?.integer)
            #expect(try await server.admin(.get, "journal/\(number)")["actor"] == "polly")
        }
    }

    @Test func `two in turn under one name stay two, and what came between them is neither's`() async throws {
        try await Aviary.run { server in
            for bird in ["polly", "kiki"] {
                let socket = try await server.openCage("nest")
                socket.perch(bird)
                _ = try await socket.next()
                socket.say("goodbye")
                socket.sendText("beat")
                #expect(try await socket.next() == .text("tick"))
                socket.close()
                _ = try await socket.end()
            }
            // Somebody unknown comes back to the nest.
            _ = try await server.openCage("nest")
            #expect(
                told(try await server.journal()) == [
                    "issueTicket nest is polly", "openCage nest is polly", "perch nest is polly", "say polly", "beat polly",
                    "issueTicket nest", "openCage nest", "perch nest is kiki", "say kiki", "beat kiki",
                    "issueTicket nest", "openCage nest",
                ])
            #expect(told(try await server.journal("?lane=nest")).count == 4)
            #expect(told(try await server.journal("?lane=kiki")) == ["perch nest is kiki", "say kiki", "beat kiki"])
        }
    }

    @Test func `who comes back under a name has had it all the time`() throws {
        try AliasBook.open { aliases throws in
            #expect(try aliases.prove("nest", "polly", 5))
            #expect(try aliases.signOut("polly", 9))
            #expect(try aliases.who("nest", 12) == "nest")
            #expect(try aliases.prove("nest", "polly", 20))
            #expect(try aliases.who("nest", 12) == "polly")
            #expect(try !aliases.prove("nest", "polly", 21))
        }
    }

    @Test func `a name's former holder does not get it back when the next one signs out`() throws {
        try AliasBook.open { aliases throws in
            #expect(try aliases.prove("nest", "polly", 5))
            #expect(try aliases.prove("nest", "kiki", 12))
            #expect(try aliases.signOut("kiki", 20))
            #expect(try aliases.who("nest", 11) == "polly")
            #expect(try aliases.who("nest", 20) == "kiki")
            #expect(try aliases.who("nest", 21) == "nest")
        }
    }

    @Test func `two people never become one`() throws {
        try AliasBook.open { aliases throws in
            #expect(try aliases.prove("nest", "polly", 5))
            // Her own name is no name of another's.
            #expect(try !aliases.prove("polly", "kiki", 6))
            #expect(try aliases.who("polly", 7) == "polly")
            #expect(try aliases.who("nest", 7) == "polly")
            // Who is only known by her own name is a person as well.
            #expect(try aliases.prove("rio", "rio", 8))
            #expect(try !aliases.prove("rio", "kiki", 9))
            // A name that turns out to be a person was another's until then.
            #expect(try aliases.prove("coco", "kiki", 10))
            #expect(try aliases.prove("coco", "coco", 15))
            #expect(try aliases.who("coco", 14) == "kiki")
            #expect(try aliases.who("coco", 15) == "coco")
            // A sign-out is of the person's other names.
            #expect(try aliases.signOut("polly", 20))
            #expect(try !aliases.signOut("rio", 21))
            #expect(try aliases.who("nest", 20) == "polly")
            #expect(try aliases.who("nest", 21) == "nest")
        }
    }

    @Test func `two devices of one person are one person with two devices`() async throws {
        try await Aviary.run { server in
            for (device, bird) in [("egg-1", "polly"), ("egg-2", "polly")] {
                let socket = try await server.openCage(device)
                socket.perch(bird)
                _ = try await socket.next()
            }
            #expect(
                told(try await server.journal("?lane=polly")) == [
                    "issueTicket egg-1 is polly", "openCage egg-1 is polly", "perch egg-1 is polly", "issueTicket egg-2 is polly",
                    "openCage egg-2 is polly", "perch egg-2 is polly",
                ])
        }
    }

    @Test func `calls that race the proof draw what they would draw without it`() async throws {
        func feathers(_ isProved: Bool) async throws -> Set<String> {
            var all: Set<String> = []
            try await Aviary.run { server in
                let socket = try await server.openCage("egg-7")
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<64 {
                        group.addTask {
                            try await server.issueTicket("egg-7").json?["feather"]?.string
                        }
                    }
                    if isProved {
                        socket.perch("polly")
                        _ = try await socket.next()
                    }
                    for try await feather in group { all.insert(feather ?? "") }
                }
            }
            return all
        }
        let with = try await feathers(true)
        // The opening and the perch are calls of the lane as well, so that one draw of the 64 may be a later one's.
        #expect(with.count == 64)
        #expect(try await with.subtracting(feathers(false)).count <= 1)
    }

    @Test func `a saved database gives the same verdict as the server that wrote it`() async throws {
        try await TemporaryFolder.database { database in
            var live: JSON = .null
            try await Aviary.run(database: database) { server in
                let socket = try await server.openCage("egg-7")
                socket.perch("polly")
                _ = try await socket.next()
                socket.say("hello")
                socket.sendText("beat")
                _ = try await socket.next()
                live = try await server.verdict("speaks")
                #expect(live["result"] == "pass", "who perched as an egg speaks as Polly: \(live.text)")
            }
            var request = VerdictRequest()
            (request.rules, request.timing) = (["parrot.speaks"], Timing(basis: .sandbox))
            let saved = try SavedDatabase(path: database).judge("default", request, Aviary.cast.get().behaviours)
            #expect(saved.json["verdicts"]?.array?.first == live)
        }
    }
}

/// The names of a sandbox without the sandbox.
private struct AliasBook {
    let queue: DatabaseQueue
    private let aliases = Aliases(sandbox: "s")

    static func open(_ body: (AliasBook) throws -> Void) throws {
        let book = AliasBook(queue: try DatabaseQueue())
        var migrator = DatabaseMigrator()
        Schema.register(in: &migrator)
        try migrator.migrate(book.queue)
        try book.queue.write {
            try $0.execute(sql: "INSERT INTO sandbox (id, position, seed, creation, clock) VALUES ('s', 0, 1, '{}', '{}')")
        }
        try body(book)
    }

    func prove(_ name: String, _ actor: String, _ entry: Int) throws -> Bool {
        try queue.write { try aliases.prove(name, is: actor, at: entry, $0) }
    }

    func signOut(_ actor: String, _ entry: Int) throws -> Bool { try queue.write { try aliases.signOut(actor, at: entry, $0) } }

    func who(_ name: String, _ entry: Int) throws -> String {
        try queue.read { try aliases.people($0) }.actor(behind: name, at: entry)
    }
}

extension TestServer {
    fileprivate func verdict(_ rule: String) async throws -> JSON {
        let report = try await admin(.post, "verdicts", ["rules": [.string(rule)], "timeBasis": "sandbox"])
        return try #require(report["verdicts"]?.array?.first)
    }
}
