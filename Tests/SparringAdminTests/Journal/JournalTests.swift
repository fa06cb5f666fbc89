import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A sandbox's timeline: what is in it, and how it is read.
@Suite struct JournalTests {
    private static let journal = "/__admin/sandboxes/default/journal"

    @Test(arguments: TestServer.Speed.usual)
    func `entries are numbered from 1 in one order, whatever they tell of`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.find("ada")
            try await server.arm("* status code=503 times=1")
            try await server.find("ada")
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            try await server.admin(.patch, "tenants/parrot", ["ticketLifetime": "5m"])
            try await server.find("bob")
            let entries = try await server.journal()
            #expect(entries.map { $0["number"] } == [1, 2, 3, 4, 5, 6])
            #expect(entries.map { $0["kind"] } == ["exchange", "fault", "exchange", "clock", "configuration", "exchange"])
            #expect(entries.map { $0["lane"] } == ["ada", nil, "ada", nil, nil, "bob"])
            #expect(entries.map { $0["ordinal"] } == [1, nil, 2, nil, nil, 1])
            #expect(
                entries.map { $0["sandboxTime"]?.string?.suffix(8) }
                    == ["00.000Z", "00.000Z", "00.000Z", "01.000Z", "01.000Z", "01.000Z"].map { ":" + $0 })
            #expect(entries.allSatisfy { $0["arrival"]?["process"] == 1 })
            let monotonic = entries.compactMap { $0["arrival"]?["monotonic"]?.integer }
            #expect(monotonic == monotonic.sorted() && monotonic.count == 6)
            for (entry, number) in zip(entries, 1...) { #expect(try await server.admin(.get, "journal/\(number)") == entry) }
        }
    }

    @Test func `an exchange tells request and answer as they were`() async throws {
        try await Aviary.run { server in
            let client = try RawClient(port: server.addresses.port)
            client.send("GET \(birdTarget(bird: "nope")) HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nX-A: 2\r\n\r\n")
            #expect(try await client.answer().status == 404)
            let entry = try await server.entry()
            #expect(entry["request"]?["method"] == "GET" && entry["request"]?["target"] == .string(birdTarget(bird: "nope")))
            #expect(entry["request"]?["headers"] == ["Host": "localhost", "X-A": "1, 2"])
            #expect((entry["request"]?["connection"]?.integer ?? 0) > 0)
            #expect(entry["answer"]?["name"] == "bird-unknown" && entry["answer"]?["body"] == #"{"error":"no-such-bird"}"#)
            #expect(entry["lane"] == .string(findBird), "calls without identity share the lane of their operation")
            #expect(entry["cause"]?.string?.hasPrefix("there is no bird 'nope'") == true)
        }
    }

    @Test(arguments: [(" ", 4096), ("é", 4096), ("a€", 4096), ("€", 4095)])
    func `of a long body its beginning is kept, whole characters, with its size and digest`(_ piece: String, _ kept: Int) async throws {
        try await Aviary.run(.pipeline) { server in
            let body = Array(String(repeating: piece, count: (300 << 10) / piece.utf8.count).utf8)
            _ = try await server.send(
                .post, birdsTarget(), headers: [.contentType: "application/json"], body: body)
            let request = try #require(try await server.entry("parrot.admitBird")["request"])
            #expect(request["body"]?.string == String(decoding: body.prefix(kept), as: UTF8.self))
            #expect(request["bodySize"]?.integer == Int64(body.count) && request["bodySHA256"]?.string?.count == 64)
        }
    }

    @Test func `a body that is no UTF-8 is kept in hexadecimal, and what breaks the contract is a finding of the entry`() async throws {
        try await Aviary.run(.pipeline) { server in
            let target = birdsTarget()
            let bad = try await server.send(.post, target, headers: [.contentType: "application/json"], body: [0x7B, 0xFF, 0x00])
            #expect(bad.json == ["error": "not-understood"])
            let entry = try await server.entry("parrot.admitBird")
            #expect(entry["request"]?["bodyHex"] == "7bff00" && entry["request"]?["body"] == nil)
            #expect(entry["findings"]?.array?.count == 1)
            _ = try await server.send(.post, target, json: ["bird": 1])
            let finding = try await server.entry("parrot.admitBird")["findings"]?.array?.first
            #expect(finding?["code"] == "type" && finding?["place"] == "body:/bird")
        }
    }

    @Test(
        arguments: [
            ("", [1, 2, 3, 4, 5, 6, 7], 8), ("?since=3", [3, 4, 5, 6, 7], 8), ("?limit=2", [1, 2], 3), ("?since=2&limit=3", [2, 3, 4], 5),
            ("?since=8", [], 8), ("?since=100", [], 100), ("?since=0&limit=1", [1], 2), ("?kind=fault", [3], 4), ("?kind=clock", [], 1),
            ("?lane=bob", [2, 6], 7), ("?lane=nobody", [], 1), ("?operation=parrot.findBird", [1, 2, 4, 6], 7),
            ("?operation=parrot.listBirds", [5, 7], 8), ("?operation=magpie.swap", [], 1),
            ("?operation=parrot.findBird&lane=ada&since=2", [4], 5), ("?kind=exchange&lane=bob&limit=1", [2], 3),
            ("?since=9007199254740991", [], 9_007_199_254_740_991), ("?limit=10000", [1, 2, 3, 4, 5, 6, 7], 8),
        ] as [(String, [Int64], Int64)])
    func `since, limit, operation, kind and lane choose entries, and next goes on from there`(
        _ query: String, _ numbers: [Int64], _ next: Int64
    ) async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.find("ada")
            try await server.find("bob")
            try await server.arm("* delay by=0s times=1")
            try await server.find("ada")
            _ = try await server.send(.get, birdsTarget())
            try await server.find("bob")
            _ = try await server.send(.get, birdsTarget())
            let page = try await server.admin(.get, "journal" + query)
            #expect(page["entries"]?.array?.compactMap { $0["number"]?.integer } == numbers)
            #expect(page["next"] == .integer(next) && page["pruned"] == 0)
        }
    }

    @Test(arguments: [
        ("?since=-1", "since"), ("?since=x", "since"), ("?limit=0", "limit"), ("?limit=1.5", "limit"), ("?kind=call", "kind"),
        ("?operation=token", "operation"), ("?lane=", "lane"), ("?since=1&since=2", "since"), ("?since=9007199254740992", "since"),
        ("?since=%2B1", "since"), ("?limit=10001", "limit"), ("/wait?count=100001", "count"), ("/9007199254740992", "number"),
        ("/wait?count=0", "count"), ("/wait?timeout=soon", "timeout"), ("/wait?timeout=1", "timeout"), ("/0", "number"), ("/x", "number"),
        ("/-1", "number"),
    ])
    func `a question that cannot be is refused by the parameter's name`(_ query: String, _ parameter: String) async throws {
        try await Aviary.run(.pipeline) { server in
            let problem = try await server.problem(.get, Self.journal + query)
            #expect(problem.words == "400 request-malformed \(parameter)")
        }
    }

    @Test func `an entry that is not there yet, and one that will never be`() async throws {
        try await Aviary.run(.pipeline) { server in
            try await server.find()
            #expect(try await server.problem(.get, Self.journal + "/2").words == "404 entry-unknown")
            #expect(try await server.problem(.get, Self.journal + "/9007199254740991").words == "404 entry-unknown")
            #expect(try await server.problem(.get, "/__admin/sandboxes/defualt/journal/1").words == "404 sandbox-unknown")
        }
    }

    @Test func `clearing empties the journal, and numbers and ordinals go on`() async throws {
        try await TemporaryFolder.database { database in
            try await Aviary.run(.pipeline, database: database) { server in
                for _ in 0..<3 { try await server.find("ada") }
                try await server.admin(.delete, "journal")
                #expect(try await server.admin(.get, "journal") == ["entries": [], "next": 1, "pruned": 0])
                #expect(try await server.problem(.get, Self.journal + "/3").words == "410 entry-pruned")
                try await server.find("ada")
                let entry = try await server.entry()
                #expect(entry["number"] == 4 && entry["ordinal"] == 4)
                try await server.admin(.delete, "journal")
            }
            try await Aviary.run(.pipeline, database: database) { server in
                try await server.find("ada")
                let entry = try await server.entry()
                #expect(entry["number"] == 5 && entry["ordinal"] == 5)
                // A reset is a new beginning.
                try await server.admin(.post, "reset")
                try await server.find("ada")
                let first = try await server.entry()
                #expect(first["number"] == 1 && first["ordinal"] == 1)
                #expect(try await server.problem(.get, Self.journal + "/2").words == "404 entry-unknown")
            }
        }
    }
}
