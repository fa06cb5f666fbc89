import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import Support
import Testing

/// A server whose contracts overlays have changed.
@Suite struct OverlayServerTests {
    private static func overlay(_ actions: [String]) throws -> Overlay {
        let text =
            "overlay: 1.1.0\ninfo: { title: T, version: '1' }\nextends: liveperson.openapi.yaml\nactions:\n"
            + actions.map { "  - \($0)\n" }.joined()
        return try Overlay(parsing: text, file: "own.yaml")
    }

    @Test(
        arguments: [
            (.get, "/api/account/acme/service/idp/baseURI.jsn?version=1.0", "", "liveperson.lookUpService"),
            (.get, "/api/accounts/acme/service/idp/baseURI.json?version=1.0", "", "liveperson.lookUpService"),
            (.post, "/api/account/acme/app/default/authenticat?v=2.0", #"{"id_token":"x"}"#, "liveperson.authenticateV2"),
            (.post, "/api/account/acme/app/default/authenticate?v=2.1", #"{"id_token":"x"}"#, "liveperson.authenticateV2"),
            (.put, "/mock/pusher/v2/account/acme/registrations/app", #"{"deviceToken":"a","pushType":"APNS"}"#, "liveperson.registerPush"),
            (.post, "/mock/pusher/account/acme/unread?appId=app", "", "liveperson.readUnread"),
        ] as [(HTTPRequest.Method, String, String, String)])
    func `The overlay that a near miss proposes makes it a call`(
        _ method: HTTPRequest.Method, _ target: String, _ body: String, _ operation: String
    ) async throws {
        let headers: HTTPFields = body.isEmpty ? [:] : [.contentType: "application/json"]
        let actions = try await TestServer.run(.pipeline, tenants: acme) { server in
            #expect([404, 405].contains(try await server.send(method, target, headers: headers, body: Array(body.utf8)).status))
            let findings = try await server.journal("?kind=finding").flatMap { $0["findings"]?.array ?? [] }
            #expect(findings.first?["contract"]?["document"] == "liveperson.openapi.yaml", "\(findings)")
            return findings.first?["overlay"]?.array ?? []
        }
        try #require(!actions.isEmpty)
        let overlay = try Self.overlay(actions.map(\.text))
        try await TestServer.run(.pipeline, tenants: acme, configure: { $0.overlays = [overlay] }) { server in
            _ = try await server.send(method, target, headers: headers, body: Array(body.utf8))
            #expect(try await server.journal("?kind=exchange").map { $0["operation"] } == [.string(operation)])
            #expect(try await server.journal("?kind=finding").isEmpty)
        }
    }

    @Test func `Faults and findings follow an operation to its new path`() async throws {
        let old = "$.paths['/mock/pusher/account/{accountId}/registrations/{appId}']"
        let overlay = try Self.overlay([
            "{ target: $.paths, update: { '/push/{accountId}/apps/{appId}': {} } }",
            "{ target: \"$.paths['/push/{accountId}/apps/{appId}']\", copy: \"\(old)\" }", "{ target: \"\(old)\", remove: true }",
            "{ target: $.components.schemas.PushRegistration.properties, update: { locale: { type: string } } }",
        ])
        try await TestServer.run(.pipeline, tenants: acme, configure: { $0.overlays = [overlay] }) { server in
            func register(_ body: String) async throws -> Int {
                try await server.send(
                    .put, "/push/acme/apps/app", headers: [.contentType: "application/json", .authorization: "Bearer x"],
                    body: Array(body.utf8)
                ).status
            }
            #expect(try await register(#"{"deviceToken":"a","pushType":"APNS","locale":"en"}"#) == 401)
            _ = try await server.admin(.post, "faults", ["fault": "liveperson.registerPush status code=503 times=1"])
            #expect(try await register(#"{"deviceToken":"a","pushType":"APNS","locale":5}"#) == 503)
            let entries = try await server.journal("?operation=liveperson.registerPush")
            #expect(entries[0]["findings"] == nil)
            #expect(entries[1]["findings"]?.array?.first?["contract"]?["file"] == "own.yaml")
            #expect(try await server.send(.put, "/mock/pusher/account/acme/registrations/app").status == 404)
        }
    }

    @Test func `The documentation's overlay makes a stub of a call that nobody has written`() async throws {
        let page = try String(
            contentsOfFile: Repository.folder("Sources/sparring/Documentation.docc/Contract-verification.md"), encoding: .utf8)
        let text = try #require(page.components(separatedBy: "```").first { $0.contains("x-stub: true\n") })
        let overlay = try Overlay(parsing: String(text.dropFirst("yaml\n".count)), file: "stub.yaml")
        try await TestServer.run(.pipeline, configure: { $0.overlays = [overlay] }) { server in
            let published = try await server.send(.get, "/__admin/sandboxes/default").json?["tenants"]
            let app = try #require(published?["khoros"]?["appId"]?.string)
            let answer = try await server.send(.get, "/v2/apps/\(app)/sdk-settings/ios")
            #expect(answer.status == 200 && answer.json?["platform"] == "ios" && answer.json?["until"] == "2026-01-01T01:00:00.000Z")
            #expect(try await server.send(.get, "/v2/apps/nope/sdk-settings/ios").status == 404)
            try await server.arm("khoros.readSDKSettings app-unknown times=1")
            #expect(try await server.send(.get, "/v2/apps/\(app)/sdk-settings/ios").status == 404)
        }
    }

    @Test func `A server says which action of an overlay changes nothing, and starts`() async throws {
        let folder = try ContractFolder(
            path: Repository.folder("contracts"), overlays: [try Self.overlay(["{ target: \"$.paths['/x']\", remove: true }"])])
        #expect(folder.warnings.map(\.description) == ["own.yaml:5: '$.paths['/x']' matches nothing: $.paths has no '/x'"])
    }
}
