import Foundation
import GRDB
import HTTPTypes
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox
import Support
import Testing

/// Work that a vendor schedules: kept, run in order as time comes, journalled, and gone on with after a restart.
@Suite struct DueWorkTests {
    // MARK: In order

    @Test func `an advance does what falls due in order of time, then of scheduling, and returns when all of it is done`() async throws {
        try await TimedServer.run { server in
            for (after, text) in [("5s", "e"), ("1s", "a"), ("3s", "c"), ("3s", "d"), ("2s", "b"), ("1h", "z")] {
                try await server.schedule(after, text)
            }
            #expect(try await server.pending() == ["note a", "note b", "note c", "note d", "note e", "note z"])
            let advanced = try await server.advance("5s")
            #expect(advanced["ran"] == 5 && advanced["settled"] == true)
            #expect(try server.notes() == ["a at 1 s", "b at 2 s", "c at 3 s", "d at 3 s", "e at 5 s"])
            #expect(try await server.pending() == ["note z"])
            let entries = try await server.journal("?kind=due")
            #expect(entries.map { $0["cause"] } == ["noted a", "noted b", "noted c", "noted d", "noted e"])
            #expect(
                entries.map { $0["sandboxTime"] } == [
                    "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z", "2026-01-01T00:00:03.000Z", "2026-01-01T00:00:03.000Z",
                    "2026-01-01T00:00:05.000Z",
                ])
            #expect(entries[0]["operation"] == "timed.note" && entries[0]["lane"] == "ada" && entries[0]["ordinal"] == 7)
            #expect(entries[0]["causedBy"] == ["operation": "timed.schedule", "lane": "ada", "ordinal": 2])
        }
    }

    @Test func `what due work schedules within the span is done in the same advance`() async throws {
        try await TimedServer.run { server in
            try await server.schedule("2s", "x", ["again": 4])
            try await server.schedule("3s", "y", ["again": 3])
            #expect(try await server.advance("7s")["ran"] == 5)
            #expect(try server.notes() == ["x at 2 s", "y at 3 s", "x at 4 s", "y at 6 s", "x at 6 s"])
            #expect(try await server.advance("1h")["ran"] == 2)
            #expect(try await server.pending().isEmpty)
        }
    }

    @Test func `what calls out is waited for, and so is what sleeps on the clock in the course of it`() async throws {
        try await TimedServer.run { server in
            try await server.arm("timed.receive delay by=30s times=1")
            try await server.schedule("1s", "slow", kind: "call")
            try await server.schedule("5s", "between", lane: "grace")
            #expect(try await server.advance("10s")["now"] == "2026-01-01T00:00:10.000Z")
            #expect(try server.notes() == ["between at 5 s"])
            #expect(try await server.pending() == ["timed.receive of ada, delayed by fault 1"])
            try await server.advance("21s")
            #expect(try server.notes() == ["between at 5 s", "200 received at 31 s"])
            #expect(try await server.journal("?operation=timed.receive").map { $0["causedBy"]?["operation"] } == ["timed.call"])
        }
    }

    @Test func `what is due behind one of its lane that sleeps waits for it, and holds up nothing else`() async throws {
        try await TimedServer.run { server in
            try await server.arm("timed.receive delay by=30s times=1")
            try await server.schedule("1s", "slow", kind: "call")
            for text in ["behind", "last"] { try await server.schedule("5s", text) }
            try await server.schedule("6s", "other", lane: "grace")
            #expect(try await server.advance("10s")["ran"] == 4)
            #expect(try server.notes() == ["other at 6 s"])
            #expect(try await server.advance("1h")["ran"] == 1)
            #expect(try server.notes() == ["other at 6 s", "200 received at 31 s", "behind at 31 s", "last at 31 s"])
        }
    }

    @Test func `what is due already is done at once though the clock stands, a lane's in order`() async throws {
        try await TimedServer.run { server in
            for number in 0..<40 { try await server.schedule("0s", "\(number)", kind: number % 2 == 0 ? "call" : "note") }
            try await server.advance("0s")  // returns when all of it is done
            let expected = (0..<40).map { $0 % 2 == 0 ? "200 received at 0 s" : "\($0) at 0 s" }
            #expect(try server.notes() == expected)
        }
    }

    @Test func `what one call makes due at once is done in the order of scheduling`() async throws {
        try await TimedServer.run { server in
            for round in 0..<200 { try await server.schedule("0s", "\(round)", ["times": 3]) }
            try await server.advance("0s")
            #expect(try server.notes() == (0..<200).flatMap { round in (0..<3).map { "\(round).\($0) at 0 s" } })
        }
    }

    @Test func `a running clock does what falls due by itself`() async throws {
        try await TimedServer.run { server in
            try await server.schedule("1h", "later")
            try await server.send(.put, "/__admin/sandboxes/default/clock", ["mode": "rate", "rate": 1_000_000])
            try await until { try server.notes().count == 1 }
        }
    }

    // MARK: Kept or not

    @Test func `what was scheduled in a savepoint that is rolled back never was`() async throws {
        try await TimedServer.run { server in
            #expect(try await server.schedule("1s", "x", ["throw": true]).status == 500)
            try await server.schedule("1s", "y")
            #expect(try await server.pending() == ["note y"])
            #expect(try await server.advance("2s")["ran"] == 1)
        }
    }

    @Test func `work is taken back by its key, and nothing of it rings`() async throws {
        try await TimedServer.run { server in
            for text in ["a", "b", "c"] { try await server.schedule("1s", text, ["key": text == "b" ? "keep" : "drop"]) }
            #expect(try await server.send(.post, "/timed/t1/cancel", ["key": "drop"]).json?["count"] == 2)
            #expect(try await server.send(.post, "/timed/t1/cancel", ["key": "drop"]).json?["count"] == 0)
            #expect(try await server.pending() == ["note b"])
            #expect(try await server.advance("2s")["ran"] == 1)
            #expect(try server.notes() == ["b at 1 s"])
        }
    }

    @Test func `what has fallen due behind one of its lane is taken back too, and what is behind it goes on`() async throws {
        try await TimedServer.run { server in
            try await server.arm("timed.receive delay by=30s times=1")
            try await server.schedule("1s", "slow", kind: "call")
            for text in ["a", "b"] { try await server.schedule("2s", text, ["key": .string(text)]) }
            try await server.advance("10s")
            #expect(try await server.send(.post, "/timed/t1/cancel", ["key": "a"]).json?["count"] == 1)
            try await server.advance("30s")
            #expect(try server.notes() == ["200 received at 31 s", "b at 31 s"])
            #expect(try await server.journal("?kind=due").map { $0["cause"] } == ["200 received", "noted b"])
        }
    }

    @Test func `work that fails is journalled, is not tried again, and what it wrote is gone`() async throws {
        try await TimedServer.run { server in
            for kind in ["fail", "nonsense", "note"] { try await server.schedule("1s", "x", kind: kind) }
            #expect(try await server.advance("2s")["ran"] == 3)
            let causes = try await server.journal("?kind=due").map { $0["cause"]?.string ?? "" }
            #expect(causes.count == 3 && causes[0].contains("on purpose") && causes[1].contains("nobody does 'timed.nonsense'"))
            #expect(try server.notes() == ["x at 1 s"])
            #expect(try Dump.tables(of: server.database)["due_work"] == [])
            let numbers = try await server.journal().compactMap { $0["number"]?.integer }
            #expect(numbers == Array(1...Int64(numbers.count)))
        }
    }

    @Test func `work dies with its sandbox, by reset or deletion`() async throws {
        try await TimedServer.run { server in
            try await server.schedule("1s", "x")
            try await server.send(.post, "/__admin/sandboxes/default/reset", nil)
            #expect(try await server.pending().isEmpty)
            #expect(try await server.advance("2s")["ran"] == 0)
            try await server.schedule("1s", "y")
            try await server.advance("2s")
            #expect(try server.notes() == ["y at 3 s"])
            try await server.schedule("1h", "z")
            try await server.send(.delete, "/__admin/sandboxes/default", nil)
            #expect(try Dump.tables(of: server.database)["due_work"] == [])
        }
    }

    // MARK: Over a restart

    @Test func `a restart goes on with what was due, each once, and does at once what fell due meanwhile`() async throws {
        try await TemporaryFolder.database { database in
            try await TimedServer.run(database: database) { server in
                try await server.schedule("1s", "done")
                try await server.schedule("10s", "left", ["again": 2])
                try await server.schedule("1h", "far")
                try await server.advance("2s")
            }
            try await TimedServer.run(database: database) { server in
                #expect(try await server.pending() == ["note left", "note far"])
                try await server.advance("20s")
                #expect(try server.notes() == ["done at 1 s", "left at 10 s", "left at 20 s"])
                // As if the process had been away for longer than that.
                try Dump.change(database) { try $0.execute(sql: "UPDATE due_work SET due = due - 7200000") }
            }
            try await TimedServer.run(database: database) { server in
                _ = try await server.pending()  // the first call starts it
                try await until { try server.notes().count == 4 }
                #expect(try server.notes().last == "far at 22 s")
                #expect(try await server.journal("?kind=due").map { $0["arrival"]?["process"] } == [1, 2, 2, 3])
            }
        }
    }

    @Test func `work that was begun three times after a restart and never ended is put aside, and the rest goes on`() async throws {
        try await TemporaryFolder.database { database in
            try await TimedServer.run(database: database) { server in
                for text in ["deadly", "other"] { try await server.schedule("1h", text) }
            }
            try Dump.change(database) {
                try $0.execute(sql: "UPDATE due_work SET due = 0, attempts = CASE number WHEN 1 THEN 3 ELSE 2 END")
            }
            try await TimedServer.run(database: database) { server in
                _ = try await server.pending()  // the first call starts it
                try await until { try Dump.tables(of: server.database)["due_work"] == [] }
                #expect(try server.notes().map { $0.prefix(5) } == ["other"])
                let aside = try #require(try await server.journal("?kind=due").first { $0["findings"] != nil })
                #expect(aside["findings"]?.array?.first?["code"] == "put-aside" && aside["details"]?["what"] == "note deadly")
                #expect(aside["cause"] == "'timed.note' was begun 3 times after a restart and never ended; it is not tried again")
            }
        }
    }

    // MARK: Calls to strangers

    @Test(
        arguments: [
            ("timed.receive denied", "403 denied"), ("timed.receive status code=503", "503 ?"),
            ("timed.receive CONNECTION_RESET_BY_PEER", "failed"), ("timed.receive EMPTY_RESPONSE phase=onResponseStart", "failed"),
        ])
    func `a fault at a declared call strikes where it goes to a stranger too`(_ fault: String, _ words: String) async throws {
        try await TimedServer.run { server in
            try await server.arm("\(fault) times=1")
            try await server.schedule("1s", "x", ["url": "http://127.0.0.1:1/nobody"], kind: "call")
            try await server.advance("1s")
            #expect(try server.notes() == ["\(words) at 1 s"])
            #expect(try await server.send(.get, "/__admin/sandboxes/default/faults").json?["faults"]?.array?.first?["hits"] == 1)
            #expect(try await server.journal("?kind=outbound").map { $0["faults"] } == [[1]])
        }
    }

    @Test func `a fault's delay of a call to a stranger is sandbox time`() async throws {
        try await TimedServer.run { server in
            try await server.arm("timed.receive delay by=30s times=1")
            try await server.schedule("1s", "x", ["url": "http://127.0.0.1:1/nobody"], kind: "call")
            try await server.advance("10s")
            #expect(try server.notes().isEmpty)
            try await server.advance("21s")
            #expect(try server.notes() == ["failed at 31 s"])
        }
    }
}
