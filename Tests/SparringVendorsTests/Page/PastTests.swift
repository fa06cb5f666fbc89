import GRDB
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import Support
import Testing

/// A sandbox as it was at an entry: `GET …/journal/{number}/world`.
@Suite struct PastTests {
    /// The current state in the admin API, in the form of a past.
    private static func present(_ server: TestServer, at entry: Int) async throws -> JSON {
        var view = try await WorldView.now { try await server.admin(.get, $0) }
        view["entry"] = .integer(Int64(entry))
        return view
    }

    private static func newest(_ server: TestServer) async throws -> Int {
        Int(try await server.admin(.get, "journal?tail=1")["entries"]?.array?.last?["number"]?.integer ?? 0)
    }

    /// A story of all vendors' kinds: each step's present is held against the same step's past, once all of it is past.
    @Test func `each step of a story is seen later as it was then`() async throws {
        try await TestServer.run(tenants: MessagingScene.tenants) { server in
            let scene = MessagingScene(server: server)
            var then: [JSON] = []
            func step(_ body: () async throws -> Void) async throws {
                try await body()
                // What a step brings about by itself has come to rest.
                try await server.admin(.post, "clock/advance", ["by": "1ms"])
                let number = try await Self.newest(server)
                then.append(try await Self.present(server, at: number))
            }
            var socket: SocketClient?
            var id = ""
            try await step { try await server.admin(.post, "faults", ["fault": "identity.token code-reused times=2"]) }
            try await step { socket = try await scene.socket("ada") }
            try await step { id = try await scene.conversation(try #require(socket)) }
            try await step {
                try await server.admin(
                    .post, "acts", ["operation": "say", "vendor": "liveperson", "with": ["consumer": "ada", "text": "Hello"]])
            }
            try await step {
                try await server.admin(.post, "devices/phone-9/notifications", ["payload": ["aps": ["alert": "x"]], "appId": "a.b"])
            }
            try await step { try await server.admin(.post, "devices/phone-9/token", ["token": "phone-10"]) }
            try await step {
                try await server.admin(.post, "acts", ["operation": "close", "vendor": "liveperson", "with": ["consumer": "ada"]])
            }
            try await step { try await server.admin(.delete, "faults/1") }
            try await step { try await server.admin(.put, "clock", ["mode": "frozen", "now": "2026-02-01T00:00:00Z"]) }
            #expect(!id.isEmpty && Set(then.map(\.text)).count == then.count, "each step shows")
            for past in then {
                let number = past["entry"]?.integer ?? 0
                let seen = try await server.admin(.get, "journal/\(number)/world")
                for (name, value) in past.object ?? [:] where name != "clock" { #expect(seen[name] == value, "\(name) at \(number)") }
                #expect(seen["clock"]?["now"] == past["clock"]?["now"] && seen["clock"]?["mode"] == past["clock"]?["mode"])
            }
        }
    }

    @Test func `what a restart finds is seen as before it, and what is changed afterwards too`() async throws {
        try await TemporaryFolder.database { file in
            func fault(_ server: TestServer, at entry: Int) async throws -> [String] {
                let seen = try await server.admin(.get, "journal/\(entry)/world")
                return (seen["faults"]?.array ?? []).compactMap { $0["text"]?.string }
            }
            let (one, two) = ("identity.token code-reused", "identity.readKeys status code=503")
            try await TestServer.run(.pipeline, database: file) { server in
                _ = try await server.admin(.post, "faults", ["fault": .string(one)])
            }
            try await TestServer.run(.pipeline, database: file) { server in
                try await server.admin(.delete, "faults/1")
                try await server.admin(.post, "faults", ["fault": .string(two)])
                #expect(try await fault(server, at: 1) == [one])
                #expect(try await fault(server, at: 2) == [])
                #expect(try await fault(server, at: 3) == [two])
            }
        }
    }

    @Test func `a call that was rolled back left nothing, and one that wrote several entries is seen as a whole`() async throws {
        try await TestServer.run(.pipeline) { server in
            try await server.admin(.post, "journal/marks", ["mark": "badge"])
            let sandbox = try #require(server.engine.world.sandbox("default"))
            struct Refused: Error {}
            await #expect(throws: Refused.self) {
                try await sandbox.store.write { db in
                    try sandbox.devices.put(Device(token: "lost", app: "a", pushType: "APNS"), db)
                    throw Refused()
                }
            }
            try await sandbox.store.write { db in
                try sandbox.journal.append(sandbox.entry(.mark, cause: "first"), db)
                try sandbox.devices.put(Device(token: "kept", app: "a", pushType: "APNS"), db)
                try sandbox.journal.append(sandbox.entry(.mark, cause: "second"), db)
            }
            let devices = try await [1, 2, 3].asyncMap { entry in
                try await server.admin(.get, "journal/\(entry)/world")["devices"]?.array?.map { $0["token"]?.string }
            }
            #expect(devices == [[], ["kept"], ["kept"]])
        }
    }

    @Test func `a reset forgets the past, and a journal that was cut short has none before it`() async throws {
        try await TestServer.run(.pipeline) { server in
            func rows() async throws -> Int {
                let sandbox = try #require(server.engine.world.sandbox("default"))
                return try await sandbox.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM history") ?? -1 }
            }
            for _ in 0..<3 { try await server.admin(.post, "clock/advance", ["by": "1s"]) }
            #expect(try await rows() > 0)
            try await server.admin(.delete, "journal")
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            let pruned = try await server.send(.get, "/__admin/sandboxes/default/journal/2/world")
            #expect(Problem(pruned).words == "410 entry-pruned")
            #expect(try await server.send(.get, "/__admin/sandboxes/default/journal/4/world").status == 200)
            try await server.admin(.post, "reset")
            #expect(try await rows() == 0)
            #expect(Problem(try await server.send(.get, "/__admin/sandboxes/default/journal/1/world")).words == "404 entry-unknown")
        }
    }

    @Test(arguments: [("0", "400 request-malformed number"), ("99", "404 entry-unknown"), ("x", "400 request-malformed number")])
    func `there is no past at what is no entry`(_ number: String, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            try await server.admin(.post, "clock/advance", ["by": "1s"])
            #expect(Problem(try await server.send(.get, "/__admin/sandboxes/default/journal/\(number)/world")).words == words)
        }
    }
}

extension [Int] {
    fileprivate func asyncMap<Value>(_ body: (Int) async throws -> Value) async throws -> [Value] {
        var out: [Value] = []
        for number in self { out.append(try await body(number)) }
        return out
    }
}
