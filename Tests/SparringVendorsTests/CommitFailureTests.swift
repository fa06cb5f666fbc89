import Foundation
import GRDB
import GRDBSQLite
import HTTPTypes
@testable import SparringAdmin
import SparringContract
@testable import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
@testable import SparringSandbox
import SparringVendors
import Support
import Testing

/// Memory follows the commit: whatever statement of a transaction fails, what the admin API says is what a restart on the same file finds.
@Suite struct CommitFailureTests {
    /// A thing that is done to a world in which there is something to lose.
    struct Deed: Sendable, CustomTestStringConvertible {
        var name: String
        var prepare: @Sendable (World) async throws -> Void = { _ in }
        var act: @Sendable (World) async throws -> Void
        var testDescription: String { name }
    }

    struct World: Sendable {
        let scene: MessagingScene
        let socket: SocketClient
        let conversation: String
        /// The token of a person who has signed in before anything fails.
        let token = Once()
        var server: TestServer { scene.server }

        actor Once {
            private var token: String?
            func value(_ subject: String, _ scene: MessagingScene) async throws -> String {
                if let token { return token }
                let made = try await scene.token(subject)
                token = made
                return made
            }
        }

        func admin(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil) async throws {
            let target = "/__admin/sandboxes/default/" + path
            _ = if let json { try await server.send(method, target, json: json) } else { try await server.send(method, target) }
        }

        /// Faults that every call counts, where there are none of them.
        func arm(_ count: Int = 1) async throws {
            let armed = server.engine.world.sandbox("default")?.faults.all.count ?? 0
            for _ in armed..<max(armed, count) { try await admin(.post, "faults", ["fault": "* delay by=0s"]) }
        }

        func talk(_ type: String, _ body: JSON) async throws {
            socket.send(["kind": "req", "id": "x", "type": .string(type), "body": body])
            _ = try await socket.next()
        }
    }

    static let deeds: [Deed] = [
        Deed(name: "create a sandbox") { world in
            _ = try await world.server.send(
                .post, "/__admin/sandboxes",
                json: ["name": "made", "clock": ["mode": "frozen"], "faults": ["* delay by=0s", "* status code=500"]])
        },
        Deed(name: "delete a sandbox") { world in
            _ = try await world.server.send(.post, "/__admin/sandboxes", json: ["name": "gone", "clock": ["mode": "frozen"]])
        } act: { world in
            _ = try await world.server.send(.delete, "/__admin/sandboxes/gone")
        },
        Deed(name: "reset a sandbox") { world in
            _ = try await world.server.send(
                .post, "/__admin/sandboxes", json: ["name": "again", "clock": ["mode": "frozen"], "faults": ["* delay by=0s"]])
            try await world.server.admin(.put, "clock", ["mode": "frozen", "now": "2030-01-01T00:00:00Z"], sandbox: "again")
        } act: { world in
            _ = try await world.server.send(.post, "/__admin/sandboxes/again/reset")
        },
        Deed(name: "configure a tenant") { try await $0.admin(.patch, "tenants/liveperson", ["tokenLifetime": "7m"]) },
        Deed(name: "rotate keys") { try await $0.admin(.post, "tenants/identity/keys/rotate") },
        Deed(name: "set the clock") { try await $0.admin(.put, "clock", ["mode": "frozen", "now": "2026-01-01T05:00:00Z"]) },
        Deed(name: "advance the clock") { try await $0.admin(.post, "clock/advance", ["by": "10s"]) },
        Deed(name: "arm a fault") { try await $0.admin(.post, "faults", ["fault": "* delay by=0s"]) },
        Deed(name: "remove a fault") { world in
            try await world.arm()
        } act: { world in
            let last = world.server.engine.world.sandbox("default")?.faults.all.last?.number ?? 0
            try await world.admin(.delete, "faults/\(last)")
        },
        Deed(name: "clear the faults") { world in
            try await world.arm(2)
        } act: {
            try await $0.admin(.delete, "faults")
        },
        Deed(name: "clear the journal") { try await $0.admin(.delete, "journal") },
        Deed(name: "mint a credential") { try await $0.admin(.post, "credentials", ["form": "code", "subject": "grace"]) },
        Deed(name: "send a push") { try await $0.admin(.post, "liveperson/push", ["consumer": "ada", "text": "Come back"]) },
        Deed(name: "act as the agent") { try await $0.admin(.post, "liveperson/agent/say", ["consumer": "ada", "text": "Hello"]) },
        Deed(name: "make a mark") { try await $0.admin(.post, "journal/marks", ["mark": "here"]) },
        Deed(name: "sign in") { world in
            try await world.arm()
        } act: { world in
            let minted = try await world.server.send(
                .post, "/__admin/sandboxes/default/credentials", json: ["form": "code", "subject": "bob"])
            _ = try await world.server.send(
                .post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["code": minted.json?["credential"] ?? .null])
        },
        Deed(name: "open a socket") { world in
            _ = try await world.token.value("carol", world.scene)
        } act: { world in
            let token = try await world.token.value("carol", world.scene)
            _ = try? await world.scene.socket(token: token)
        },
        Deed(name: "publish a message") {
            try await $0.arm()
        } act: { world in
            try await world.talk(
                "ms.PublishEvent",
                [
                    "dialogId": .string(world.conversation),
                    "event": ["type": "ContentEvent", "contentType": "text/plain", "message": "hello?"],
                ])
        },
        Deed(name: "call nothing that there is") { _ = try await $0.server.send(.get, "/nowhere/at/all") },
    ]

    @Test(arguments: deeds, Trouble.Kind.allCases)
    func `whatever statement fails, memory is what the file has`(_ deed: Deed, _ kind: Trouble.Kind) async throws {
        let trouble = Trouble()
        try await TemporaryFolder.database { database in
            try await TestServer.run(
                .socket, database: database, tenants: MessagingScene.tenants,
                configure: { $0.engine.prepareDatabase = { trouble.prepare($0) } }
            ) { server in
                let scene = MessagingScene(server: server)
                let socket = try await scene.socket("ada")
                let world = World(scene: scene, socket: socket, conversation: try await scene.conversation(socket))
                let store = server.engine.world.store
                let (first, step) = Self.isWhole ? (0, 1) : kind.share
                var statements = first
                while true {
                    try await deed.prepare(world)
                    try await trouble.arm(kind, after: statements, store)
                    try await deed.act(world)
                    try await Self.settled(server)
                    let hasStruck = try await trouble.disarm(store)
                    let (now, after) = try await Self.both(server, copy: database + "-copy-\(statements)")
                    for (now, after) in zip(now, after) where !Self.areSame(now, after, port: server.addresses.port) {
                        Issue.record("\(deed.name), \(kind) after \(statements): in memory \(now), in the file \(after)")
                    }
                    #expect(now.count == after.count)
                    statements += step
                    // A full disk is tried for as many pages as any of these needs.
                    if kind == .full ? statements > 6 : !hasStruck { break }
                    try #require(statements < 400, "it never comes through")
                }
                if kind != .full, first == 0 { #expect(statements > step, "nothing was struck") }
            }
        }
    }

    /// With `SPARRING_MATRIX=1` (`make matrix`) every kind of trouble strikes each statement; else each strikes a third of them, and another third.
    private static let isWhole = ProcessInfo.processInfo.environment["SPARRING_MATRIX"] == "1"

    /// Everything submitted has been written, or has failed.
    private static func settled(_ server: TestServer) async throws {
        for _ in 0..<3 { _ = try? await server.engine.world.store.write { _ in } }
    }

    /// The state in memory, and the state that an engine finds that starts on a copy of the file, both of one moment.
    private static func both(_ server: TestServer, copy: String) async throws -> ([String], [String]) {
        while true {
            // A socket that ends, or a timer, may have something written meanwhile.
            let before = try await everything { try await server.send(.get, $0) }
            try server.engine.world.store.pool.backup(to: DatabaseQueue(path: copy))
            let after = try await everything { try await server.send(.get, $0) }
            if before == after { return (after, try await restarted(server, copy: copy)) }
        }
    }

    private static func restarted(_ server: TestServer, copy: String) async throws -> [String] {
        // The server that has been copied was not killed.
        try await DatabaseQueue(path: copy).write { try $0.execute(sql: "UPDATE process SET stopped = started") }
        var options = Server.Options()
        options.engine.database = copy
        options.contracts = Repository.folder("contracts")
        let (contracts, behaviours) = (server.engine.contracts, server.behaviours)
        let engine = try Server(options, contracts: contracts, behaviours: behaviours) { try AllVendors.make($0, keys: Brand.pool) }.engine
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let found = try await everything { target in
            let head = RequestHead(method: .get, target: target, headers: [.init("Host")!: "127.0.0.1"], arrival: .now)
            guard case .answer(let response) = await engine.answer(Request(head: head)), case .bytes(let bytes) = response.body else {
                throw Disturbed.closed
            }
            return TestAnswer(status: response.status, headers: response.headers, body: bytes)
        }
        try await engine.stop()
        return found
    }

    /// The admin API's answers about all sandboxes.
    private static func everything(_ get: (String) async throws -> TestAnswer) async throws -> [String] {
        let root = "/__admin/sandboxes"
        let list = try await get(root)
        var all = [list, try await get("/__admin/unplaced")]
        for sandbox in list.json?["sandboxes"]?.array?.compactMap({ $0["id"]?.string }) ?? [] {
            for what in ["clock", "faults", "tenants/liveperson", "tenants/identity", "journal", "conversations", "consumers", "devices"] {
                all.append(try await get("\(root)/\(sandbox)/\(what)"))
            }
        }
        return all.map(\.text)
    }

    private static func areSame(_ now: String, _ after: String, port: Int) -> Bool {
        // Most differ in this alone.
        if now.replacingOccurrences(of: ":\(port)", with: "") == after { return true }
        return lasting(now) == lasting(after)
    }

    /// An answer without ports and sockets, which end with the process.
    private static func lasting(_ shown: String) -> String {
        shown.replacing(host, with: "HOST").replacing(ofSockets, with: "")
    }

    nonisolated(unsafe) private static let host = /(127\.0\.0\.1|localhost)(:\d+)?/
    nonisolated(unsafe) private static let ofSockets = /"sockets":\d+|{[^{}]*of socket[^{}]*},?/
}
