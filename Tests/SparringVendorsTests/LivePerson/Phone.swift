import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import Support
import Testing
@testable import LivePersonVendor

/// Somebody signed in on a device, and what the pusher and the devices' inboxes say of it.
struct Phone: Sendable {
    let scene: Scene
    let subject: String
    let token: String
    var app = "test.brand.app"
    var device = "phone-1"
    var type = "APNS"

    /// Signs in.
    init(_ scene: Scene, _ subject: String = "ada", app: String = "test.brand.app", device: String = "phone-1", type: String = "APNS")
        async throws
    {
        (self.scene, self.subject, self.app, self.device, self.type) = (scene, subject, app, device, type)
        let answer = try await scene.signIn(.v1, token: try await scene.mint(["form": "jwt", "subject": .string(subject)]))
        token = try #require(answer.json?["jwt"]?.string)
    }

    var consumer: String { (try? Brand.claims(of: token)["sub"]?.string) ?? "" }

    // MARK: The pusher (LivePerson reference 8.3)

    func send(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, authorization: String? = nil) async throws -> TestAnswer {
        var headers: HTTPFields = [.authorization: authorization ?? "Bearer \(token)"]
        if authorization == "" { headers = [:] }
        let target = "/mock/pusher/account/\(scene.account)/\(path)"
        guard let json else { return try await scene.server.send(method, target, headers: headers) }
        return try await scene.server.send(method, target, headers: headers, json: json)
    }

    @discardableResult
    func register() async throws -> TestAnswer {
        try await send(.put, "registrations/\(app)", ["deviceToken": .string(device), "pushType": .string(type), "lang": "en-US"])
    }

    func isRegistered() async throws -> Bool? {
        try await send(.get, "registrations/\(app)?deviceToken=\(Form.encoded(device))").json?["registered"]?.bool
    }

    @discardableResult
    func unregister(_ type: String = "ALL") async throws -> TestAnswer { try await send(.delete, "registrations/\(app)?type=\(type)") }

    func unread() async throws -> JSON? { try await send(.get, "unread?appId=\(app)").json }

    // MARK: What happens to the consumer

    /// An agent's message, as the messaging side has it delivered.
    @discardableResult
    func message(_ text: String, _ sequence: Int, in conversation: String = "c-1", hasOpenSocket: Bool = false) async throws -> [String] {
        let sandbox = try #require(scene.server.engine.world.sandbox(scene.sandbox))
        let tenant = try #require(sandbox.tenant(of: "liveperson"))
        let consumer = consumer
        let notes = try await scene.server.engine.world.store.write { db in
            let message = PushMessage(
                conversation: conversation, dialog: conversation, originator: "\(tenant.id).55", nickname: "Agent", text: text,
                sequence: sequence)
            let origin = JournalEntry.Origin(operation: "liveperson.publish", lane: "agent", ordinal: sequence)
            return try PusherState.deliver(
                message, to: consumer, hasOpenSocket: hasOpenSocket,
                Occasion(sandbox, tenant, now: sandbox.clock.now, origin: origin), db
            ).notes
        }
        return notes
    }

    /// The consumer's socket was given a conversation's events.
    func receives(upTo sequence: Int, in conversation: String = "c-1") async throws {
        let (consumer, sandbox) = (consumer, scene.sandbox)
        try await scene.server.engine.world.store.write { db in
            try PusherState.received(consumer, conversation: conversation, upTo: sequence, sandbox, db)
        }
    }

    /// A proactive message.
    @discardableResult
    func proactive(_ text: String = "Your parcel waits", _ more: JSON = [:]) async throws -> [String] {
        var body: JSON = ["consumer": .string(subject), "text": .string(text)]
        for (name, value) in more.object ?? [:] { body[name] = value }
        return try await scene.server.admin(.post, "liveperson/push", body, sandbox: scene.sandbox)["done"]?.array?.compactMap(\.string)
            ?? []
    }

    // MARK: The device

    private var path: String { "devices/\(Form.encoded(device))/notifications" }

    /// Once all that is due has been done.
    func notifications() async throws -> [JSON] {
        try await scene.advance("0s")
        return try await scene.server.admin(.get, path, sandbox: scene.sandbox)["notifications"]?.array ?? []
    }

    func badges() async throws -> [Int64] { try await notifications().compactMap { $0["badge"]?.integer } }
    func texts() async throws -> [String] { try await notifications().compactMap { $0["text"]?.string } }

    func admin(_ rest: String) async throws -> TestAnswer {
        try await scene.server.send(.get, "/__admin/sandboxes/\(scene.sandbox)/\(path)\(rest)")
    }
}

extension Scene {
    /// The journal's entries about the pushes, oldest first.
    func attempts() async throws -> [JSON] { try await server.journal("?operation=liveperson.push", sandbox: sandbox) }
}
