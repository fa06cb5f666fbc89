import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox
import SparringTestKit
import SparringVerdict
import Support
import Testing

/// A client that was recorded at another Sparring, played against this one.
@Suite struct ReplayTests {
    /// The configuration that the two have in common, written like that of a tester with access to the vendor.
    private static let settings = """
        sandboxes:
          - name: default
            tenants:
              identity: { tenantId: brand, clientId: shop, clientSecret: a-secret-of-the-brand }
              liveperson: { accountId: acme }
        """

    /// The archive of a session, as a tool that knows nothing of Sparring writes it.
    ///
    /// - Parameter isOwn: as Sparring writes it.
    static func record(
        _ overlays: [Overlay] = [], tokenLifetime: String = "1h", isOwn: Bool = false, hidden: Bool = false,
        _ session: (TestServer) async throws -> Void
    ) async throws -> JSON {
        let tenants: JSON.Object = [
            "identity": [
                "tenantId": "brand", "clientId": "shop", "clientSecret": "a-secret-of-the-brand", "tokenLifetime": .string(tokenLifetime),
            ], "liveperson": ["accountId": "acme"],
        ]
        return try await TestServer.run(.socket, seed: 77, clock: nil, tenants: tenants, configure: { $0.overlays = overlays }) { server in
            try await session(server)
            let entries = try await server.journal("?limit=10000")
            let sandbox = try #require(try await server.send(.get, "/__admin/sandboxes/default?made=true").json)
            let begun = try #require(entries.first?["sandboxTime"]?.string.flatMap { Timestamp($0) })
            var archive = ArchiveWriter(entries, of: isOwn ? RecordedSandbox(sandbox, begun: begun) : nil, version: "test").json
            guard !isOwn else { return archive }
            let calls = archive["log"]?["entries"]?.array ?? []
            let plain = calls.map { call -> JSON in
                var members = (call.object ?? [:]).filter { $0.key != "_sparring" }
                if let messages = call["_webSocketMessages"]?.array {
                    members["_webSocketMessages"] = .array(messages.map { .object(($0.object ?? [:]).filter { $0.key != "_sparring" }) })
                }
                return .object(members)
            }
            archive["log"]?["entries"] = .array(plain)
            return archive
        }
    }

    /// The findings of an import and the differences of a replay, each as `operation: place: kind`.
    static func differences(_ archive: JSON, configured: Bool = true) async throws -> (imported: Set<String>, replayed: Set<String>) {
        let cast = try Cast.shipped.get()
        let read = try Archive(archive)
        var reader = try RecordingReader(cast.contracts, hosts: [])
        reader.take(read)
        let imported = Set(
            reader.entries.flatMap { entry in entry.findings.map { "\(entry.operation ?? "") \($0.member ?? $0.place ?? ""): \($0.code)" } }
        )
        var options = ServerOptions()
        options.contracts = Cast.folder
        options.engine.callsAbroad = false
        let server = try Server(options, contracts: cast.contracts, behaviours: cast.behaviours, vendors: cast.make)
        var replay = Replay(
            read, reader, on: server, configured: configured ? try ConfigurationFile(parsing: settings, file: "sparring.yaml") : nil)
        try await replay.run()
        try await server.engine.stop(grace: .zero)
        let report = try replay.judge(VerdictRequest(["whole": true]), cast.behaviours, name: "test")
        return (imported, Set(report.contract.rows.map { "\($0.operation) \($0.place ?? ""): \($0.code)" }))
    }

    private static let lookUp = "/api/account/acme/service/asyncMessagingEnt/baseURI.json?version=1.0"

    private static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)", .contentType: "application/json"] }

    /// A consumer signs in, registers a device, is shown an engagement, talks and leaves.
    private static func session(_ server: TestServer, planted: Bool) async throws {
        let scene = try await Scene(server)
        func plant(_ fault: String) async throws { if planted { try await scene.arm(fault) } }
        _ = try await server.send(.get, planted ? lookUp.replacing("/account/", with: "/accounts/") : lookUp)
        try await plant("identity.discover wrong-content-type type=text/plain")
        _ = try await server.send(.get, "\(scene.provider)/.well-known/openid-configuration")
        let tokens = try #require(try await scene.redeem(code: scene.code()).json)
        let jwt = try #require(try await scene.signIn(.v2, token: tokens["id_token"]?.string ?? "").json?["jwt"]?.string)
        let registrations = "/mock/pusher/account/acme/registrations/com.brand.app"
        try await plant(
            "liveperson.registerPush status code=201 type=application/json body=\(JSON.string(#"{"registration":"1f"}"#).text) times=1")
        let device: JSON = ["deviceToken": "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad", "pushType": "APNS"]
        _ = try await server.send(.put, registrations, headers: bearer(jwt), body: device.bytes)
        try await plant(
            "liveperson.readUnread status code=200 type=application/json body=\(JSON.string(#"{"total":"0","conversations":{}}"#).text) times=1"
        )
        _ = try await server.send(.get, "/mock/pusher/account/acme/unread?appId=com.brand.app", headers: bearer(jwt))
        try await plant(
            "liveperson.readUnread status code=401 type=application/json body=\(JSON.string(#"{"reason":"no such token"}"#).text) times=1")
        _ = try await server.send(.get, "/mock/pusher/account/acme/unread?appId=com.brand.app", headers: bearer("nonsense"))
        var visitor = Visitor(scene)
        let shown = try await visitor.fetch(["identities": [Visitor.ada]])
        try visitor.take(shown)
        let other = shown.text.replacing(#""status":"expose""#, with: #""status":"exposed""#)
            .replacing(/"pageId":"[0-9]+"/, with: #""pageId":"123456789""#)
        #expect(other != shown.text)
        try await plant("liveperson.fetchEngagement status code=200 type=application/json body=\(JSON.string(other).text) times=1")
        _ = try await visitor.fetch(["identities": [Visitor.ada]])
        if planted {
            try await server.admin(.post, "stubs", ["call": "POST /api/account/{accountId}/settings", "status": 201])
            _ = try await server.send(.post, "/api/account/acme/settings", json: ["colour": "red"])
        }
        let messaging = MessagingScene(server: server)
        let socket = try await messaging.socket(token: jwt)
        try await messaging.follow(socket)
        try await plant("liveperson.conversationsChanged reorder times=1")
        let conversation = try await socket.request("cm.ConsumerRequestConversation", [:])["body"]?["conversationId"] ?? .null
        _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": conversation, "fromSeq": 0])
        _ = try await socket.notification(MessagingScene.events)
        _ = try await socket.notification(MessagingScene.conversations)
        // What an agent did is in no other tool's archive.
        if !planted {
            try await server.admin(
                .post, "acts", ["vendor": "liveperson", "operation": "say", "with": ["consumer": "ada", "text": "Good morning"]])
            _ = try await socket.notification(MessagingScene.events)
        }
        socket.close(1000)
        try await plant("liveperson.unregisterPush status code=202 times=1")
        _ = try await server.send(.delete, registrations, headers: bearer(jwt))
    }

    @Test func `a session of Sparring's own is replayed without a difference`() async throws {
        let archive = try await Self.record(isOwn: true) { try await Self.session($0, planted: false) }
        let found = try await Self.differences(archive, configured: false)
        #expect(found.imported.isEmpty && found.replayed.isEmpty, "\(found)")
    }

    @Test func `a sandbox is replayed with the ids that it had, though another one had taken those of its seed`() async throws {
        let archive = try await TestServer.run(.socket, clock: nil) { server in
            var accounts: [JSON] = []
            for name in ["first", "second"] {
                let made = try await server.send(.post, "/__admin/sandboxes", json: ["name": .string(name), "seed": 600]).json
                accounts.append(made?["tenants"]?["liveperson"]?["accountId"] ?? .null)
            }
            #expect(accounts[0] != accounts[1])
            let account = try #require(accounts[1].string)
            _ = try await server.send(.get, "/api/account/\(account)/service/asyncMessagingEnt/baseURI.json?version=1.0")
            let entries = try #require(try await server.send(.get, "/__admin/sandboxes/second/journal").json?["entries"]?.array)
            let made = try #require(try await server.send(.get, "/__admin/sandboxes/second?made=true").json)
            let begun = try #require(entries.first?["sandboxTime"]?.string.flatMap { Timestamp($0) })
            return ArchiveWriter(entries, of: RecordedSandbox(made, begun: begun), version: "test").json
        }
        let found = try await Self.differences(archive, configured: false)
        #expect(found.imported.isEmpty && found.replayed.isEmpty, "\(found)")
    }

    /// The planted defects, and the words about them. An import does not know the other's answers: values that the contract leaves open.
    private static let planted: [(what: String, imported: [String], replayed: [String])] = [
        (
            "a path", [" GET /api/accounts/acme/service/asyncMessagingEnt/baseURI.json: unplaced"],
            [" GET /api/accounts/acme/service/asyncMessagingEnt/baseURI.json: unplaced"]
        ),
        (
            "a header", ["identity.discover answer header:Content-Type: media-type"],
            ["identity.discover answer header content-type: replay-value"]
        ),
        (
            "a lifetime", [],
            [
                "identity.token answer body.expires_in: replay-value", "identity.token answer body.id_token claims.exp: replay-time",
                "liveperson.authenticateV2 answer body.jwt claims.exp: replay-time",
            ]
        ),
        (
            "a member",
            ["liveperson.registerPush answer body:/registrationId: missing", "liveperson.registerPush answer body:/registration: unknown"],
            [
                "liveperson.registerPush answer body.registrationId: replay-surplus",
                "liveperson.registerPush answer body.registration: replay-missing",
            ]
        ),
        (
            "a type", ["liveperson.readUnread answer body:/total: type"], ["liveperson.readUnread answer body.total: replay-type"]
        ),
        (
            "the body of an error",
            [
                "liveperson.readUnread answer body:/error: missing", "liveperson.readUnread answer body:/reason: unknown",
                "liveperson.readUnread answer header:WWW-Authenticate: missing",
            ],
            [
                "liveperson.readUnread answer body.error: replay-surplus", "liveperson.readUnread answer body.reason: replay-missing",
                "liveperson.readUnread answer header www-authenticate: replay-surplus",
            ]
        ),
        (
            "an enumerator",
            [
                "liveperson.fetchEngagement body:/engagementDetails/*/status: value",
                "liveperson.fetchEngagement body:/engagementDetails/*/status: alternative",
            ], ["liveperson.fetchEngagement answer body.engagementDetails[*].status: replay-value"]
        ),
        (
            "an unknown operation", [" POST /api/account/acme/settings: unplaced"], [" POST /api/account/acme/settings: unplaced"]
        ),
        ("the order of notifications", [], ["liveperson.conversationsChanged message: replay-order"]),
        (
            "a status", ["liveperson.unregisterPush answer status: status"], ["liveperson.unregisterPush answer status: replay-answer"]
        ),
    ]

    @Test func `what another Sparring does otherwise is named, and nothing else`() async throws {
        let overlay = try Overlay(
            parsing: """
                overlay: 1.1.0
                info: { title: Another vendor, version: '1' }
                extends: liveperson.openapi.yaml
                actions:
                  - target: $.paths
                    update: { '/api/accounts/{accountId}/service/{serviceName}/baseURI.json': {} }
                  - target: $.paths['/api/accounts/{accountId}/service/{serviceName}/baseURI.json']
                    copy: $.paths['/api/account/{accountId}/service/{serviceName}/baseURI.json']
                  - target: $.paths['/api/account/{accountId}/service/{serviceName}/baseURI.json']
                    remove: true
                """, file: "planted.yaml")
        let archive = try await Self.record([overlay], tokenLifetime: "30m") { try await Self.session($0, planted: true) }
        let found = try await Self.differences(archive)
        #expect(found.imported == Set(Self.planted.flatMap(\.imported)), "\(found.imported.sorted().joined(separator: "\n"))")
        #expect(found.replayed == Set(Self.planted.flatMap(\.replayed)), "\(found.replayed.sorted().joined(separator: "\n"))")
    }

    /// An archive of a machine that was busy for a while before it asked for a conversation on behalf of its client.
    private static func late(_ archive: JSON, by seconds: Int64) -> JSON {
        func late(_ messages: [JSON]) -> [JSON] {
            var isLate = false
            return messages.map { message in
                guard let text = message["data"]?.string, let time = message["time"]?.double else { return message }
                let isAsked = message["type"] == "send" && text.contains("cm.ConsumerRequestConversation")
                defer { isLate = isLate || isAsked }
                guard isLate else { return message }
                var message = message
                message["time"] = .number(time + Double(seconds))
                guard message["type"] == "receive" else { return message }
                message["data"] = .string(text.replacing(/\b1[0-9]{12}\b/) { String((Int64($0.output) ?? 0) + seconds * 1000) })
                return message
            }
        }
        var archive = archive
        let calls = archive["log"]?["entries"]?.array ?? []
        archive["log"]?["entries"] = .array(
            calls.map { call in
                guard let messages = call["_webSocketMessages"]?.array else { return call }
                var call = call
                call["_webSocketMessages"] = .array(late(messages))
                return call
            })
        return archive
    }

    @Test func `what came late was made late, and is the same when it is read again`() async throws {
        let archive = try await Self.record { server in
            let scene = try await Scene(server)
            let tokens = try #require(try await scene.redeem(code: scene.code()).json)
            let jwt = try #require(try await scene.signIn(.v2, token: tokens["id_token"]?.string ?? "").json?["jwt"]?.string)
            let socket = try await MessagingScene(server: server).socket(token: jwt)
            try await MessagingScene(server: server).follow(socket)
            let conversation = try await socket.request("cm.ConsumerRequestConversation", [:])["body"]?["conversationId"] ?? .null
            _ = try await socket.notification(MessagingScene.conversations)
            _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": conversation, "fromSeq": 0])
            _ = try await socket.notification(MessagingScene.events)
            socket.close(1000)
        }
        let late = Self.late(archive, by: 8)
        #expect(late != archive)
        let found = try await Self.differences(late).replayed
        #expect(found.isEmpty, "\(found)")
        // Longer than anybody waits for an answer, the times are others.
        let replayed = try await Self.differences(Self.late(archive, by: 90)).replayed
        #expect(!replayed.isEmpty && replayed.allSatisfy { $0.hasSuffix(": replay-time") }, "\(replayed)")
    }
}
