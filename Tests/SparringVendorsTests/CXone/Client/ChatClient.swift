import HTTPTypes
import SparringJSON
import Support
import Testing

/// An app with one of CXone's SDKs, as NICE's event diagrams require, written with knowledge of the rules. Paths and messages are those of
/// the reference.
actor ChatClient {
    enum Platform: String, CaseIterable, Sendable {
        case ios, android, web
        var version: String { self == .android ? "3.2.2" : self == .ios ? "3.3.1" : "3.3.0" }
        /// Whether it reports visitors and pages, as the diagrams have it for mobile apps.
        var isMobile: Bool { self != .web }
    }

    /// The state that the app keeps while it is closed.
    struct Device: Sendable {
        var visitor: String?
        var customer = "ada"
        var thread: String?
        var access: Token?
        var transaction: Token?
        var refresh: String?
        var visit: (id: String, expiry: Double)?
    }

    struct Token: Sendable {
        var text: String
        /// In seconds of the sandbox's clock.
        var end: Double
    }

    /// A conversation of the customer's.
    struct Conversation: Sendable {
        enum State { case pending, ready, closed }

        var id: String
        var state = State.pending
        var contact: String?
    }

    /// The part of the channel's configuration that the client uses.
    struct Channel: Sendable {
        var isSignedIn: Bool
        var isSecured: Bool
        var form: [String: String]
    }

    let stage: ClientStage
    let platform: Platform
    let mode: ChatScene.Mode
    let brand: String
    let number: Int

    var device = Device()
    // As long as the app runs
    var channel: Channel?
    /// The SDK is too old: nothing works any more.
    var isRefused = false
    var isShowingChat = false
    var destination = ""
    var page: (title: String, since: Double)?
    var line: (any Line)?
    var welcome: String?
    /// The ids of the threads that the server has.
    var listed: [String] = []
    var conversation: Conversation?
    /// The messages that were typed and are not known to have arrived.
    var outbox: [(id: String, text: String)] = []
    var beats = 0
    var pongs = 0
    /// Sockets that are over.
    var endings = 0
    private var ids = 0

    init(_ stage: ClientStage, _ platform: Platform, _ mode: ChatScene.Mode, brand: String, number: Int) {
        (self.stage, self.platform, self.mode, self.brand, self.number) = (stage, platform, mode, brand, number)
    }

    /// A UUID that nobody else in the sandbox has.
    func freshID() -> String {
        ids += 1
        let (high, low) = (String(number + 4096, radix: 16), String(ids + 0x1000_0000_0000, radix: 16))
        return "00000000-\(high)-4000-8000-\(low.suffix(12))"
    }

    // MARK: Calls

    var headers: HTTPFields {
        guard platform != .android else { return [:] }
        return [HTTPField.Name("x-sdk-platform")!: platform.rawValue, HTTPField.Name("x-sdk-version")!: platform.version]
    }

    /// Nil where no answer came.
    func call(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, credentials: Bool = true, timeOut: Double = 45
    ) async throws -> TestAnswer? {
        let (server, headers) = (stage.server, credentials ? headers : [:])
        return try await stage.drive(timeOut: timeOut) {
            guard let json else { return try await server.send(method, target, headers: headers) }
            return try await server.send(method, target, headers: headers, json: json)
        }
    }

    func mark(_ name: String, _ members: JSON = [:]) async throws {
        try await stage.mark(name, members, lane: device.visitor ?? ClientStage.lane)
    }

    func act(_ operation: String, _ members: JSON.Object = [:]) async throws {
        let named: JSON.Object = ["consumer": .string(device.customer)]
        let with = JSON.object(named.merging(members, uniquingKeysWith: { $1 }))
        _ = try await stage.server.send(
            .post, "/__admin/sandboxes/\(stage.sandbox)/acts", json: ["operation": .string(operation), "vendor": "cxone", "with": with])
    }

    /// The agent acts in the conversation, where there is one.
    func agent(_ operation: String, _ members: JSON.Object = [:]) async throws {
        guard conversation?.state == .ready else { return }
        try await act(operation, members)
        try await takeArrivals()
    }
}
