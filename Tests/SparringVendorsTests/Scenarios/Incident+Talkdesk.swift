import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Incidents of Talkdesk's clients.
extension Incident {
    static let talkdesk = talkdeskTokens + talkdeskBackends

    private static let talkdeskTokens = [
        Incident("token-expires-mid-interaction") { stage async throws in
            let ada = try await stage.talkdesk.person("ada")
            let id = try await ada.start()
            try await stage.advance("90s")
            #expect(try await ada.send("still there?", in: id).status == 401)
            #expect(try await stage.talkdesk.person("ada").send("still there?", in: id).status == 201)
        },
        Incident("token-lifetime-changes") { stage async throws in
            let ada = try await stage.talkdesk.person("ada")
            let id = try await ada.start()
            try await stage.advance("59s")
            #expect(try await ada.send("still there?", in: id).status == 201)
            let again = try await stage.talkdesk.person("ada")
            try await stage.advance("31s")
            #expect(try await again.send("still there?", in: id).status == 401)
        },
        Incident("token-revoked-mid-interaction") { stage async throws in
            let ada = try await stage.talkdesk.person("ada")
            let id = try await ada.start()
            for status in [201, 401, 201] { #expect(try await ada.send("hello", in: id).status == status) }
            #expect(
                try await stage.talkdesk.server.journal("?operation=talkdesk.sendToInteraction")[1]["answer"]?["name"] == "token-revoked")
        },
        Incident("gateway-refuses-every-token") { stage async throws in
            for _ in 1...2 {
                let ada = try await stage.talkdesk.person("ada")
                let answer = try await ada.call(
                    .post, "/visual-sessions/interactions", ["app_id": "example-app-ios", "intention": "support"])
                #expect(answer.talkdeskWords == "401 0040101")
            }
        },
        Incident("token-in-a-foreign-push") { stage async throws in
            try await stage.advance("11s")
            let shown = try await stage.server.admin(.get, "devices/brand-app-phone/notifications")["notifications"]?.array ?? []
            #expect(shown.map { $0["payload"]?["auth_token"] } == ["bm90LWEtdG9rZW4"])
        },
    ]

    private static let talkdeskBackends = [
        Incident("backend-denies") { stage async throws in
            for status in [403, 200] { #expect(try await stage.talkdesk.access(session: stage.talkdesk.session("ada")).status == status) }
        },
        Incident("backend-answers-after-the-limit", .socket) { stage async throws in
            let talkdesk = stage.talkdesk
            #expect(try await stage.held("40s") { try await talkdesk.access() }.status == 200)
            #expect(try await talkdesk.access().status == 200)
        },
        Incident("backend-answers-late-enough", .socket) { stage async throws in
            let talkdesk = stage.talkdesk
            #expect(try await stage.held("25s") { try await talkdesk.access() }.status == 200)
        },
        Incident("client-assertion-with-a-wrong-key") { stage async throws in
            let talkdesk = stage.talkdesk
            for status in [401, 200] {
                let form = TalkdeskScene.form(try await talkdesk.assertion())
                #expect(try await talkdesk.token(form, basic: nil).status == status)
            }
            for status in [500, 200] { #expect(try await talkdesk.access().status == status) }
        },
        Incident("assertion-signed-by-another-key") { stage async throws in
            for status in [500, 200] { #expect(try await stage.talkdesk.access().status == status) }
            let names = try await stage.server.journal("?operation=talkdesk.issueToken").map { $0["answer"]?["name"] }
            #expect(names == ["assertion-bad-signature", "token-issued"])
        },
        Incident("code-reused-at-talkdesk-id", .socket) { stage async throws in
            let code = try await stage.talkdesk.code()
            await #expect(throws: (any Error).self) { try await stage.talkdesk.redeem(code) }
            #expect(try await stage.talkdesk.redeem(code).talkdeskWords == "400 invalid_grant")
            #expect(try await stage.talkdesk.redeem(stage.talkdesk.code()).status == 200)
        },
        Incident("talkdesk-id-is-overloaded") { stage async throws in
            for status in [429, 429, 200] {
                let answer = try await stage.talkdesk.token(["grant_type": "client_credentials"])
                #expect(answer.status == status && (answer.headers[.retryAfter] != nil) == (status == 429))
            }
            #expect(try await stage.talkdesk.access().status == 500)
        },
    ]
}

extension Stage {
    var talkdesk: TalkdeskScene { TalkdeskScene(server: server) }
}
