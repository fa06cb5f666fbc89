import HTTPTypes
import SparringJSON
import Support
import Testing

/// Sockets that a tester ended over the admin API while a client was recorded.
@Suite struct ReplayedEndTests {
    @Test(
        arguments: [["how": "close", "code": 1011, "reason": "maintenance"], ["how": "close"], ["how": "abort"], ["how": "freeze"]]
            as [JSON])
    func `a replay ends the same socket in the same way`(_ ending: JSON) async throws {
        let archive = try await ReplayTests.record(isOwn: true) { server in
            let messaging = MessagingScene(server: server)
            let other = try await messaging.socket("grace")
            try await messaging.follow(other)
            let socket = try await messaging.socket("ada")
            try await messaging.follow(socket)
            _ = try await messaging.conversation(socket)
            _ = try await socket.notification(MessagingScene.conversations)
            let number = try await server.admin(.get, "sockets")["sockets"]?.array?.last?["number"] ?? .null
            try await server.admin(.post, "sockets/\(number.text)/end", ending)
            let isFrozen = ending["how"] == "freeze"
            if !isFrozen { _ = try await socket.end() }
            // A frozen one is not sent this, and one that has ended cannot be.
            try await server.admin(
                .post, "acts", ["vendor": "liveperson", "operation": "say", "with": ["consumer": "ada", "text": "Are you there?"]])
            if isFrozen { socket.close(1000) }
            other.close(1000)
            try await until { try await server.admin(.get, "sockets")["sockets"]?.array?.isEmpty != false || isFrozen }
        }
        let acts = archive["log"]?["_sparring"]?["sandbox"]?["acts"]?.array ?? []
        #expect(acts.contains { $0["operation"] == "admin.endSocket" && $0["with"]?["how"] == ending["how"] }, "\(acts)")
        let found = try await ReplayTests.differences(archive, configured: false)
        #expect(found.replayed.isEmpty, "\(found.replayed)")
        // Without the act, the socket does not end. (A frozen one is recorded like one that works: its vendor knows no better.)
        guard ending["how"] != "freeze" else { return }
        var undone = archive
        undone["log"]?["_sparring"]?["sandbox"]?["acts"] = .array(acts.filter { $0["operation"] != "admin.endSocket" })
        #expect(try await !ReplayTests.differences(undone, configured: false).replayed.isEmpty)
    }
}
