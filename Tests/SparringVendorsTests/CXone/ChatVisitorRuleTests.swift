import HTTPTypes
import SparringEngine
import SparringJSON
import Support
import Testing

/// NICE's SDK for iOS, unmodified, and the rules about visitors, visits and contacts.
@Suite struct ChatVisitorRuleTests {
    private func report(_ type: String, visit: String, by visitor: String, page: String = "1", _ scene: ChatScene) async throws {
        let path = "/web-analytics/1.0/tenants/\(ChatScene.brand)/visitors/\(ChatScene.visitor(visitor))/events"
        let event = JSON.members([
            "type": .string(type), "visitId": .string(ChatScene.visitor(visit)), "id": .string(ChatScene.visitor("e\(page)")),
            "destination": ["id": .string(ChatScene.visitor("destination"))], "createdAtWithMilliseconds": "2026-01-01T00:00:00.000Z",
            "data": type == "PageView" ? ["url": .string("page://\(page)"), "title": .string("Page \(page)")] : nil,
        ])
        _ = try await scene.server.send(.post, path, json: event)
    }

    private func signIn(_ customer: String, as visitor: String, _ scene: ChatScene) async throws {
        let chatter = try await scene.open(.multi, visitor)
        _ = try await chatter.authorize(["authorizationCode": .string(try await scene.code(customer))])
    }

    private func broken(_ scene: ChatScene) async throws -> Set<String> {
        try await scene.advance("60s")
        return Judged(try await scene.server.admin(.post, "verdicts", ["timeBasis": "sandbox", "platform": "ios"])).broken
    }

    @Test(arguments: [true, false])
    func `a second customer on an install finds its visitor known`(_ isKnown: Bool) async throws {
        try await ChatScene.run(["authorization": "oauth"]) { scene in
            if isKnown { _ = try await scene.prepare("v") }
            try await signIn("ada", as: "v", scene)
            try await signIn("bob", as: "v", scene)
            try await report("VisitorVisit", visit: "visit", by: "v", scene)
            #expect(try await broken(scene).contains("makes-the-visitor-known-before-analytics") == !isKnown)
        }
    }

    @Test(arguments: [true, false])
    func `each install of a customer has a visit of its own`(_ isNew: Bool) async throws {
        try await ChatScene.run(["authorization": "oauth"]) { scene in
            for number in 1...4 {
                let visitor = isNew ? "v\(number)" : "v"
                _ = try await scene.prepare(visitor)
                try await signIn("ada", as: visitor, scene)
                try await report("VisitorVisit", visit: "visit\(number)", by: visitor, scene)
            }
            #expect(try await broken(scene).contains("keeps-its-visit") == !isNew)
        }
    }

    @Test(arguments: [true, false])
    func `a page that was open when the app was closed is not ended`(_ isStarted: Bool) async throws {
        try await ChatScene.run { scene in
            _ = try await scene.prepare("v")
            try await report("VisitorVisit", visit: "visit", by: "v", scene)
            for page in 1...5 {
                if isStarted { _ = try await scene.prepare("v") }
                try await report("PageView", visit: "visit", by: "v", page: "\(page)", scene)
            }
            #expect(try await broken(scene).contains("ends-a-page-before-the-next") == !isStarted)
        }
    }
}
