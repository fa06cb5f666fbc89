import Foundation
import GRDB
import HTTPTypes
import SparringJSON
import SparringLocks
import Support
import Testing

/// Notifications to apps, where Sparring itself is the app, or the account or the process changes meanwhile; the rest is in `connector.py`.
@Suite struct WebhookTests {
    private static let own = "/mock/webhooks/account/acme/notifications"

    private static func account(_ endpoint: String, retention: Int64? = nil) -> JSON {
        var webhooks: JSON = ["cqm.ExConversationChangeNotification": ["endpoint": .string(endpoint)]]
        if let retention { webhooks["retry"] = ["retention_time": .integer(retention)] }
        return [
            "accountId": "acme",
            "appInstallations": [["clientId": "bot", "clientSecret": "s3cret", "capabilities": ["webhooks": webhooks]]],
        ]
    }

    /// The outcomes of the attempts, without the words that say which attempt it was.
    private static func ends(_ server: TestServer) async throws -> [String] {
        try await server.admin(.post, "clock/advance", ["by": "0s"])
        return try await server.journal("?kind=due").map { String($0.cause.split(separator: ": ", maxSplits: 1).last ?? "") }
    }

    /// An endpoint that is down until it is repaired.
    private final class Endpoint: Sendable {
        private let isUp = Mutex(false)
        func repair() { isUp.withLock { $0 = true } }
        func answer(_: ScriptedServer.Request) -> ScriptedServer.Script { .answer(isUp.withLock { $0 } ? 201 : 503, "{}") }
    }

    @Test(
        arguments: [
            (nil, "accepted", "notification-accepted"), ("wrong-signature times=1", "401: dropped", "signature-invalid"),
            ("unavailable times=1", "503: dropped", "unavailable"),
        ] as [(String?, String, String)])
    func `an app that Sparring plays checks the signature`(_ fault: String?, _ end: String, _ answer: String) async throws {
        try await TestServer.run(.pipeline, tenants: ["liveperson": Self.account(Self.own)]) { server in
            if let fault { try await server.admin(.post, "faults", ["fault": .string("liveperson.deliverNotification \(fault)")]) }
            _ = try await App(server).open()
            #expect(try await Self.ends(server) == [end])
            let taken = try #require(try await server.journal("?operation=liveperson.deliverNotification").last)
            #expect(taken.answerName == answer, "\(taken)")
            #expect(try await server.journal("?kind=finding").isEmpty)
        }
    }

    @Test func `a stranger's notification is refused by the app that Sparring plays`() async throws {
        try await TestServer.run(.pipeline, tenants: ["liveperson": Self.account(Self.own)]) { server in
            for (client, name) in [("bot", "signature-invalid"), ("stranger", "client-unknown")] {
                let answer = try await server.send(
                    .post, Self.own,
                    headers: [
                        .init("x-liveperson-account-id")!: "acme", .init("x-liveperson-client-id")!: client,
                        .init("x-liveperson-signature")!: "sha1=AAAA",
                    ], json: ["kind": "notification", "type": "cqm.ExConversationChangeNotification", "body": ["changes": [[:]]]])
                #expect(answer.status == 401)
                #expect(try await server.journal("?operation=liveperson.deliverNotification").last?.answerName == name)
            }
        }
    }

    @Test(arguments: [nil, 60]) func `an app that was removed is not notified any more`(_ retention: Int64?) async throws {
        let endpoint = Endpoint()
        try await ScriptedServer.run(endpoint.answer) { proxy in
            let account = Self.account(proxy.url("/webhook"), retention: retention)
            try await TestServer.run(.pipeline, tenants: ["liveperson": account]) { server in
                let app = try await App(server)
                _ = try await app.open()
                #expect(try await Self.ends(server) == [retention == nil ? "503: dropped" : "503: again in 2 s"])
                try await server.admin(.patch, "tenants/liveperson", ["appInstallations": []])
                try await server.admin(.post, "clock/advance", ["by": "1h"])
                #expect(proxy.requests.count == 1)
                #expect(try await server.admin(.get, "clock")["pending"] == [])
            }
        }
    }

    @Test func `a restart goes on with what waits`() async throws {
        let endpoint = Endpoint()
        try await ScriptedServer.run(endpoint.answer) { proxy in
            try await TemporaryFolder.database { database in
                let account = Self.account(proxy.url("/webhook"), retention: 3600)
                try await TestServer.run(.pipeline, database: database, tenants: ["liveperson": account]) { server in
                    _ = try await App(server).open()
                    try await server.admin(.post, "clock/advance", ["by": "3s"])
                    #expect(proxy.requests.count == 2)
                }
                endpoint.repair()
                try await TestServer.run(.pipeline, database: database, tenants: ["liveperson": account]) { server in
                    let pending = try await server.admin(.get, "clock")["pending"]?.array ?? []
                    #expect(pending.map { $0["due"] } == ["2026-01-01T00:00:06.000Z"], "\(pending)")
                    try await server.admin(.post, "clock/advance", ["by": "1h"])
                    #expect(proxy.requests.count == 3)
                    #expect(try await Self.ends(server).last == "accepted")
                }
            }
        }
    }

    @Test func `what waits for an attempt that was lost goes out with the next notification`() async throws {
        let endpoint = Endpoint()
        try await ScriptedServer.run(endpoint.answer) { proxy in
            try await TemporaryFolder.database { database in
                let account = Self.account(proxy.url("/webhook"), retention: 3600)
                try await TestServer.run(.pipeline, database: database, tenants: ["liveperson": account]) { server in
                    _ = try await App(server).open()
                    #expect(try await Self.ends(server) == ["503: again in 2 s"])
                }
                // As after an attempt that failed within Sparring: nothing is due any more.
                try await DatabaseQueue(path: database).write { db in try db.execute(sql: "DELETE FROM due_work") }
                endpoint.repair()
                try await TestServer.run(.pipeline, database: database, tenants: ["liveperson": account]) { server in
                    try await server.admin(.post, "liveperson/agent/close", ["consumer": "ada"])
                    try await server.admin(.post, "clock/advance", ["by": "2s"])
                    let states = try proxy.requests.map {
                        try JSON(parsing: $0.body)["body"]?["changes"]?.array?[0]["result"]?["conversationDetails"]?["state"]
                    }
                    #expect(states == ["OPEN", "OPEN", "CLOSE"], "\(states)")
                    #expect(try await server.admin(.get, "clock")["pending"] == [])
                }
            }
        }
    }

    @Test func `the waits grow to five minutes`() async throws {
        try await ScriptedServer.run(Endpoint().answer) { proxy in
            let account = Self.account(proxy.url("/webhook"), retention: 1500)
            try await TestServer.run(.pipeline, tenants: ["liveperson": account]) { server in
                _ = try await App(server).open()
                try await server.admin(.post, "clock/advance", ["by": "2h"])
                let waits = try await Self.ends(server).compactMap { $0.components(separatedBy: "again in ").dropFirst().first }
                #expect(
                    waits == ["2 s", "4 s", "8 s", "16 s", "32 s", "64 s", "2 min", "4 min", "5 min", "5 min", "5 min", "5 min"])
                #expect(try await Self.ends(server).last == "dropped: the retention time is over")
            }
        }
    }
}
