import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringTokens
import Support
import Testing

/// JWTs that a recorded client brought, in a replay of an archive that has placeholders for them.
@Suite struct ReplayedCredentialTests {
    /// Records a session without credentials, as `sparring contract export har` writes it.
    private static func record(_ session: (MessengerScene) async throws -> Void) async throws -> JSON {
        try await TestServer.run(tenants: MessengerScene.tenants()) { server in
            try await session(MessengerScene(server: server))
            let found = try await server.journal("?limit=10000")
            let made = try #require(try await server.send(.get, "/__admin/sandboxes/default?made=true").json)
            let (entries, sandbox) = RecordedSandbox.recording(found, made, withCredentials: false)
            return ArchiveWriter(entries, of: sandbox, version: "test").json
        }
    }

    private static func expectNoDifference(_ archive: JSON) async throws {
        let found = try await ReplayTests.differences(archive, configured: false)
        #expect(found.replayed.isEmpty, "\(found.replayed.sorted())")
    }

    /// A JWT by the brand's own backend, which Sparring did not mint.
    private static func signed(_ claims: JSON.Object = [:], secret: String? = nil) throws -> String {
        let secret = secret ?? MessengerScene.key["secret"]?.string ?? ""
        let usual: JSON.Object = [
            "scope": "appUser", "userId": "ann", "platform": "ios", "givenName": "Ann", "iat": .integer(Scene.now),
            "exp": .integer(Scene.now + 3600), "jti": "6f9c2d1e",
        ]
        return JWS.sign(
            exactly: ["alg": "HS256", "typ": "JWT", "kid": MessengerScene.key["id"] ?? .null],
            payload: .object(usual.merging(claims, uniquingKeysWith: { $1 })), with: try SigningKey(secret: Array(secret.utf8)))
    }

    /// Faults that strike the first call that brings the JWT.
    private static let faults = [
        "khoros.logIn unavailable times=1", "khoros.logIn unavailable times=1 per=lane", "khoros.logIn bad-signature times=1",
        "khoros.logIn status code=418 times=1", "khoros.logIn status code=500 times=1",
    ]

    @Test(arguments: faults, [true, false])
    func `a JWT that the vendor took later is sound, though the first call that brought it failed`(
        _ fault: String, _ isMinted: Bool
    ) async throws {
        let archive = try await Self.record { scene in
            try await scene.arm(fault)
            let jwt = try await isMinted ? scene.jwt("ann") : Self.signed()
            #expect(try await scene.logIn("ann", jwt).status >= 400)
            let answer = try await scene.logIn("ann", jwt)
            let id = try #require(answer.json?["appUser"]?["_id"]?.string, "\(answer.text)")
            #expect(try await scene.call(.get, "/appusers/\(id)", by: "Bearer \(jwt)").status == 200)
        }
        try await Self.expectNoDifference(archive)
    }

    @Test func `a JWT is sound, though the first call that brought it was refused for another reason`() async throws {
        let archive = try await Self.record { scene in
            let jwt = try Self.signed()
            #expect(try await scene.call(.get, "/appusers/5f0c0e1a2b3c4d5e6f7081bb", by: "Bearer \(jwt)").status == 404)
        }
        try await Self.expectNoDifference(archive)
    }

    @Test(arguments: ["jwt", "code"]) func `a sign-in that was unavailable at first succeeds in a replay too`(_ form: String) async throws {
        let archive = try await Self.record { messenger in
            let scene = try await Scene(messenger.server)
            try await scene.arm("liveperson.Login.* unavailable times=1")
            let wishes: JSON.Object = form == "code" ? ["redirectURI": .string(Scene.redirectURI)] : [:]
            let credential = try await messenger.credential(form, "ada", wishes)
            let body: JSON =
                form == "code"
                ? ["code": .string(credential), "redirect_uri": .string(Scene.redirectURI)] : ["id_token": .string(credential)]
            #expect(try await scene.signIn(.v2, body).status == 503)
            let answer = try await scene.signIn(.v2, body)
            #expect(answer.status == 200, "\(answer.text)")
        }
        try await Self.expectNoDifference(archive)
    }

    @Test func `a JWT that nobody took is refused in a replay too`() async throws {
        let archive = try await Self.record { scene in
            for jwt in try await [Self.signed(secret: "another secret"), scene.jwt("ann", ["defect": "wrong-key"])] {
                #expect(try await scene.logIn("ann", jwt).status == 401)
            }
            // The sound one of the same user is another.
            #expect(try await scene.logIn("ann", scene.jwt("ann")).status == 200)
        }
        try await Self.expectNoDifference(archive)
    }

    @Test(arguments: [true, false]) func `a JWT has its claims, and ends when the recorded one did`(_ isMinted: Bool) async throws {
        let archive = try await Self.record { scene in
            let jwt =
                try await isMinted
                ? scene.jwt("ann", ["lifetime": "10m", "claims": ["givenName": "Ann"]])
                : Self.signed(["exp": .integer(Scene.now + 600)])
            let answer = try await scene.logIn("ann", jwt)
            #expect(answer.json?["appUser"]?["givenName"] == "Ann", "\(answer.text)")
            let id = answer.json?["appUser"]?["_id"]?.string ?? ""
            try await scene.advance("599s")
            #expect(try await scene.call(.get, "/appusers/\(id)", by: "Bearer \(jwt)").status == 200)
            try await scene.advance("2s")
            #expect(try await scene.call(.get, "/appusers/\(id)", by: "Bearer \(jwt)").status == 401)
        }
        try await Self.expectNoDifference(archive)
    }

    @Test func `a JWT that had ended before its first call is refused as ended`() async throws {
        let archive = try await Self.record { scene in
            let jwt = try Self.signed(["iat": .integer(Scene.now - 900), "exp": .integer(Scene.now - 300)])
            #expect(try await scene.logIn("ann", jwt).status == 401)
        }
        try await Self.expectNoDifference(archive)
    }
}
