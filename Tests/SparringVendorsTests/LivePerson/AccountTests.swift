import HTTPTypes
import LivePersonVendor
import SparringJSON
import Support
import Testing

/// The properties of an account that clients read without credentials: service acCdnDomain.
@Suite struct AccountTests {
    private static let tenants: JSON.Object = [
        "liveperson": [
            "accountId": "acme",
            "accountProperties": ["messaging.file.sharing.enabled": true, "urls": ["https://brand.example"], "x": ["y": 1], "z": "w"],
            "agents": [
                ["userId": "55", "userPid": "3c0d6f6e", "nickname": "Alex", "fullName": "Alex Doe", "employeeId": "E-55"],
                ["userId": "56", "nickname": "Kim"],
            ],
        ]
    ]
    private static let configuration = "/api/account/acme/configuration"

    @Test(
        arguments: [
            ("le-users/users/3c0d6f6e", 200, #"{"nickname":"Alex","fullName":"Alex Doe","employeeId":"E-55"}"#),
            ("le-users/users/56?v=4.0&__d=123", 200, #"{"nickname":"Kim","fullName":"Kim"}"#),
            ("le-users/users/55?cb=profile", 200, #"profile({"nickname":"Alex","fullName":"Alex Doe","employeeId":"E-55"});"#),
            ("le-users/users/57", 404, #"{"error":"mock-agent-unknown"}"#),
            ("le-campaigns/zones?fields=id&fields=zoneValue", 200, "[]"),
            ("le-campaigns/zones?cb=lpZonesStaticCB", 200, "lpZonesStaticCB([]);"),
            ("domainprotection/refererrestrictions", 200, #"{"error":"mock-no-restrictions"}"#),
        ] as [(String, Int, String)])
    func `an account tells everybody`(_ target: String, _ status: Int, _ body: String) async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(.get, "\(Self.configuration)/\(target)")
            #expect(answer.status == status && answer.text == body, "\(answer.text)")
            let isScript = body.hasSuffix(");")
            #expect(answer.headers[.contentType] == (isScript ? "application/javascript" : "application/json"))
            #expect(try await scene.server.journal("?kind=exchange").last?["findings"] == nil)
        }
    }

    @Test func `properties are those that the tenant was given, each with the number of its type`() async throws {
        try await MessagingScene.run(tenants: Self.tenants) { scene in
            let answer = try await scene.server.send(.get, "\(Self.configuration)/setting/accountproperties?cb=a.b")
            #expect(answer.text.hasPrefix("a.b([{\"id\":") && answer.text.hasSuffix("]);"))
            let plain = try await scene.server.send(.get, "\(Self.configuration)/setting/accountproperties").json?.array ?? []
            #expect(plain.map { $0["id"] } == ["messaging.file.sharing.enabled", "urls", "x", "z"])
            #expect(plain.map { $0["type"] } == [1, 3, 4, 2] && plain[1]["propertyValue"] == ["value": ["https://brand.example"]])
        }
        try await MessagingScene.run(tenants: ["liveperson": ["accountId": "acme"]]) { scene in
            let none = try await scene.server.send(.get, "\(Self.configuration)/setting/accountproperties")
            #expect(none.text == "[]")
        }
    }
}
