import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Input that is far too long is refused, and the answer does not repeat it.
@Suite struct LongInputTests {
    @Test(
        arguments: [
            ("POST", "default/clock/advance", ["by": "<>"], "/by"), ("PUT", "default/clock", ["mode": "<>"], "/mode"),
            ("PUT", "default/clock", ["mode": "real", "offset": "<>"], "/offset"), ("POST", "default/faults", ["fault": "<>"], "/fault"),
            ("POST", "default/credentials", ["form": "jwt", "subject": "<>"], "/subject"),
            ("POST", "default/credentials", ["form": "jwt", "subject": "ada", "clientId": "<>"], "/clientId"),
            ("POST", "default/acts", ["operation": "<>"], "/operation"),
            ("POST", "default/liveperson/agent/join", ["agent": "<>"], "/agent"),
            ("POST", "default/verdicts", ["rules": ["<>"]], "/rules/0"), ("POST", "default/journal/marks", ["mark": "<>"], "/mark"),
            ("POST", "", ["name": "<>"], "/name"),
        ] as [(String, String, JSON, String)])
    func `a megabyte in one member is refused with its place and a short answer`(
        _ method: String, _ path: String, _ pattern: JSON, _ pointer: String
    ) async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            let body = pattern.text.replacing("<>", with: String(repeating: "1", count: 1_000_000))
            let answer = try await server.send(
                HTTPRequest.Method(rawValue: method)!, "/__admin/sandboxes" + (path.isEmpty ? "" : "/\(path)"),
                headers: [.contentType: "application/json"], body: Array(body.utf8))
            let problem = Problem(answer)
            #expect(problem.status == 400 && problem.name == "request-malformed" && problem.pointers == [pointer])
            #expect(answer.body.count < 2000, "\(answer.body.count) bytes")
            #expect(server.engine.world.sandboxes.map(\.id) == ["default"])
            #expect(try await server.journal().isEmpty)
        }
    }

    @Test(arguments: [
        "{\"<>\":1}", "{\"mark\":\"\\<>\"}", "{\"mark\":1,\"mark<>\":2,\"mark<>\":3}", "<>", "[<>", "{\"mark\":<>}", "{\"mark\":\"<>",
    ])
    func `what is not JSON, or lacks a member, is quoted only in part`(_ pattern: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let body = pattern.replacing("<>", with: String(repeating: "x", count: 1_000_000))
            let answer = try await server.send(
                .post, "/__admin/sandboxes/default/journal/marks", headers: [.contentType: "application/json"], body: Array(body.utf8))
            #expect(answer.status == 400 && Problem(answer).name == "request-malformed")
            #expect(answer.body.count < 2000, "\(answer.body.count) bytes")
        }
    }

    /// About as long as a request's line may be.
    private static let longName = String(repeating: "x", count: 15_000)

    @Test(arguments: [
        "/__admin/sandboxes/<>/clock", "/__admin/sandboxes/default/devices/<>/notifications", "/__admin/sandboxes/default/tenants/<>",
        "/__admin/sandboxes/default/liveperson/conversations/<>", "/__admin/sandboxes/default/conversations?consumer=<>",
        "/__admin/sandboxes/default/journal?kind=<>", "/__admin/sandboxes/default/journal?since=<>", "/__admin/<>", "/<>", "/<>/<>",
        "/api/account/<>/service/idp/baseURI.json?version=1.0", "/identity/<>/jwks.json", "/<>/__admin/<>",
    ])
    func `a long name in a path or query gets no suggestion and a short answer`(_ pattern: String) async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            let answer = try await server.send(.get, pattern.replacing("<>", with: Self.longName))
            #expect(answer.status == 404 || answer.status == 400, "\(answer.status)")
            #expect(answer.body.count < 2000, "\(answer.body.count) bytes")
            let nearest = answer.json?["nearest"]?.array ?? []
            #expect(nearest.isEmpty, "\(nearest)")
        }
    }
}
