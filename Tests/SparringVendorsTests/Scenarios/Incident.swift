import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringJournal
import SparringSandbox
import Support
import Testing

/// A shipped scenario, and as little of a client as shows that it happens on the wire as described.
struct Incident: Sendable, CustomTestStringConvertible {
    let scenario: String
    /// `socket` where WebSockets are needed; the other incidents go straight into the pipeline.
    let speed: TestServer.Speed
    let play: @Sendable (Stage) async throws -> Void

    init(_ scenario: String, _ speed: TestServer.Speed = .pipeline, _ play: @escaping @Sendable (Stage) async throws -> Void) {
        (self.scenario, self.speed, self.play) = (scenario, speed, play)
    }

    var testDescription: String { scenario }

    static let all = signIns + sockets + bots + pushes + others + wire + clocks + certificates + chats + messenger + talkdesk + company
}

/// The sandbox `default`, made of a scenario, its clock frozen.
struct Stage: Sendable {
    let server: TestServer
    let scene: Scene
    var messaging: MessagingScene { MessagingScene(server: server) }

    static func run(_ scenario: String, _ speed: TestServer.Speed, _ body: (Stage) async throws -> Void) async throws {
        let folder = Repository.folder("fixtures/scenarios")
        let isOnTLS = try ScenarioFile(reading: "\(folder)/\(scenario).yaml").scenario.tls != nil
        try await TestServer.run(speed, tls: isOnTLS, configure: { $0.scenarios = folder }) { server in
            try await server.admin(.delete, "")
            let file = try await server.send(.get, "/__admin/scenarios/\(scenario)").json
            let now = file?["sandbox"]?["clock"]?["now"] ?? "2026-01-01T00:00:00Z"
            let made = try await server.send(
                .post, "/__admin/sandboxes",
                json: [
                    "name": "default", "scenario": .string(scenario), "clock": ["mode": "frozen", "now": now],
                    "tenants": (["liveperson": ["accountId": "acme"]] as JSON).merging(.object(ChatScene.tenants()))
                        .merging(.object(MessengerScene.tenants())).merging(.object(TalkdeskScene.tenants()))
                        .merging(.object(CompanyScene.tenants())),
                ])
            try #require(made.status == 201, "\(made.text)")
            #expect(made.json?["scenario"] == .string(scenario) && made.json?["seed"] == file?["sandbox"]?["seed"])
            try await body(Stage(server: server, scene: try await Scene(server)))
            // What the timeline was to do, it did.
            #expect(try await server.journal("?kind=due&lane=timeline").allSatisfy { $0["findings"] == nil })
        }
    }

    /// How far the sandbox's clock is ahead of the machine's when the scenario says so itself.
    func skew() async throws -> Duration {
        let made = try await server.send(
            .post, "/__admin/sandboxes", json: ["name": "skewed", "scenario": server.admin(.get, "")["scenario"] ?? .null])
        let now = try #require(Timestamp(made.json?["clock"]?["now"]?.string ?? ""), "\(made.text)")
        return now - Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    func advance(_ by: String) async throws { try await scene.advance(by) }

    /// Begins a call that is held back, lets time pass once it is, and returns what it came to.
    func held<Value: Sendable>(_ by: String, _ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        async let value = call()
        try await until {
            try await server.admin(.get, "clock")["pending"]?.array?.contains { $0["what"]?.string?.contains("delayed by") == true } == true
        }
        try await advance(by)
        return try await value
    }

    func code() async throws -> String { try await scene.code() }

    /// The outcome of a sign-in with a code: `200`, or `500 mock-code-reused`.
    func redeem(_ code: String) async throws -> String { words(try await scene.signIn(.v2, ["code": .string(code)])) }

    /// The same with a token.
    func signIn(_ token: String? = nil) async throws -> String {
        let token = if let token { token } else { try await scene.mint(["form": "jwt"]) }
        return words(try await scene.signIn(.v2, token: token))
    }

    private func words(_ answer: TestAnswer) -> String {
        (["\(answer.status)"] + [answer.json?["internalErrorCode"]?.string].compactMap { $0 }).joined(separator: " ")
    }

    func lookUp() async throws -> TestAnswer {
        try await server.send(.get, "/api/account/acme/service/idp/baseURI.json?version=1.0")
    }

    /// Passes time in steps in which a client keeps its socket alive.
    func pass(_ seconds: Int, with socket: SocketClient) async throws {
        for _ in 0..<seconds / 30 {
            try await advance("30s")
            _ = try await socket.isAlive()
        }
    }

    /// The messages of a dialog so far, as a fresh socket receives them.
    func history(_ dialog: String, _ socket: SocketClient) async throws -> [String] {
        _ = try await socket.request("ms.SubscribeMessagingEvents", ["dialogId": .string(dialog), "fromSeq": 0])
        let changes = try await socket.notification(MessagingScene.events)["body"]?["changes"]?.array ?? []
        return changes.compactMap { $0["event"]?["message"]?.string }
    }
}
