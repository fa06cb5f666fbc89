import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Incidents of ASAPP's clients.
extension Incident {
    static let company = companyContexts + companyDevices + companyEndpoints + companyChats

    private static let companyContexts = [
        Incident("context-token-expired") { stage async throws in
            for code in ["401-02", nil] {
                let context = CompanyScene.context(try await stage.company.token("ada"))
                #expect(try await stage.company.start("ada", context).code == code)
            }
        },
        Incident("context-refused-for-good") { stage async throws in
            for _ in 1...3 {
                let context = CompanyScene.context(try await stage.company.token("ada"))
                #expect(try await stage.company.start("ada", context).code == "401-02")
            }
        },
        Incident("session-ends-in-chat") { stage async throws in
            let ada = try await stage.company.person("ada")
            #expect(try await ada.say("hello").status == 201)
            try await stage.advance("2m")
            #expect(try await ada.say("still there?").code == "401-04")
            #expect(try await stage.company.person("ada").say("still there?").status == 201)
        },
        Incident("chat-before-the-sign-in") { stage async throws in
            let somebody = try await stage.company.person(nil)
            #expect(try await somebody.say("hello").status == 201)
            let ada = try await stage.company.person("ada", after: somebody.session)
            #expect(try await ada.texts() == ["hello"])
        },
    ]

    private static let companyDevices = [
        Incident("deregistration-forgotten") { stage async throws in
            let ada = try await stage.company.person("ada")
            #expect(try await ada.register("d").status == 204)
            let bob = try await stage.company.person("bob")
            #expect(try await bob.register("d").status == 204)
            try await stage.advance("3m")
            #expect(try await stage.company.notifications("d").count == 1)
            #expect(try await stage.company.findings("push") == ["push-for-another"])
        },
        Incident("deregistration-fails") { stage async throws in
            let ada = try await stage.company.person("ada")
            #expect(try await ada.register("d").status == 204)
            for status in [500, 204] { #expect(try await ada.deregister("d").status == status) }
        },
        Incident("device-token-renewed") { stage async throws in
            let ada = try await stage.company.person("ada")
            #expect(try await ada.register("d").status == 204)
            try await stage.advance("91s")
            #expect(try await stage.company.entry("receivePush")["answer"]?["name"] == "device-unknown")
            #expect(try await ada.register("another-token").status == 204)
            try await stage.company.act("push", ["consumer": "ada", "text": "hello"])
            #expect(try await stage.company.notifications("another-token").count == 1)
        },
        Incident("push-of-another-app") { stage async throws in
            #expect(try await stage.company.person("ada").register("d").status == 204)
            try await stage.advance("91s")
            let shown = try await stage.company.notifications("d")
            #expect(shown.map { $0["payload"]?["UnreadMessages"] } == [nil, 1])
        },
    ]

    private static let companyEndpoints = [
        Incident("endpoint-down") { stage async throws in
            #expect(try await stage.company.person("ada").register("d").status == 204)
            try await stage.advance("62s")
            #expect(try await stage.company.notifications("d").isEmpty)
            try await stage.advance("2s")
            #expect(try await stage.company.notifications("d").count == 1)
        },
        Incident("endpoint-slow", .socket) { stage async throws in
            #expect(try await stage.company.person("ada").register("d").status == 204)
            // By a clock that stands still nothing is slow: the answer is late and not too late.
            try await stage.advance("60s")
            try await until {
                try await stage.server.admin(.get, "clock")["pending"]?.text.contains("delayed by") == true
            }
            try await stage.advance("6s")
            try await until { try await stage.company.notifications("d").count == 1 }
        },
        Incident("push-sent-twice") { stage async throws in
            #expect(try await stage.company.person("ada").register("d").status == 204)
            try await stage.advance("60s")
            #expect(try await stage.company.entries("receivePush").count == 2)
            #expect(try await stage.company.notifications("d").count == 1)
        },
        Incident("endpoint-called-by-a-stranger") { stage async throws in
            #expect(try await stage.company.person("ada").register("d").status == 204)
            try await stage.advance("61s")
            #expect(try await stage.company.entries("receivePush").compactMap { $0["answer"]?["status"]?.integer } == [401, 200])
        },
    ]

    private static let companyChats = [
        Incident("message-while-in-chat", .socket) { stage async throws in
            let ada = try await stage.company.person("ada")
            #expect(try await ada.register("d").status == 204)
            let socket = try await ada.enter()
            try await stage.advance("60s")
            #expect(try await socket.notification("message")["text"] == "Your parcel waits")
            socket.close()
            _ = try await socket.end()
            try await until { try await stage.server.admin(.get, "consumers")["consumers"]?.array?.first?["sockets"] == 0 }
            try await stage.advance("2m")
            #expect(try await stage.company.notifications("d").compactMap { $0["text"] } == ["Your parcel still waits"])
        },
        Incident("status-fails") { stage async throws in
            let ada = try await stage.company.person("ada")
            try await stage.advance("60s")
            for _ in 1...2 { #expect(try await ada.status() == "1") }
            #expect(try await ada.call(.get, "/status").status == 500)
            #expect(try await ada.status() == "1")
        },
        Incident("chat-message-throttled") { stage async throws in
            let ada = try await stage.company.person("ada")
            for status in [429, 201] { #expect(try await ada.say("hello").status == status) }
        },
        Incident("chat-socket-dropped", .socket) { stage async throws in
            let ada = try await stage.company.person("ada")
            let socket = try await ada.enter()
            try await stage.advance("20s")
            #expect(try await socket.end() == .ended(.closed))
            let again = try await ada.enter()
            try await stage.company.act("push", ["consumer": "ada", "text": "hello"])
            #expect(try await again.notification("message")["text"] == "hello")
        },
    ]
}

extension Stage {
    var company: CompanyScene { CompanyScene(server: server) }
}
