import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// An app with one of Khoros' SDKs, written with knowledge of the rules. Paths and messages are those of the reference.
actor MessengerClient {
    enum Platform: String, CaseIterable, Sendable {
        case ios, android, web
        /// Whether an answer makes the SDK ask its app for a JWT: iOS goes by the body, the others by the status (Khoros reference 1.6).
        func asksForAJWT(_ answer: TestAnswer) -> Bool {
            self == .ios ? answer.json?["error"]?["code"] == "invalid_auth" : answer.status == 401
        }
        /// Seconds before a lost socket is opened again.
        var retryInterval: Double { self == .ios ? 1 : 10 }
    }

    /// The app's use of another JWT: the SDKs repeat the call, the page's sample has "re-login" in a comment.
    enum Style: String, CaseIterable, Sendable {
        case repeats, logsInAnew
    }

    let stage: ClientStage
    let platform: Platform
    let style: Style
    let app: String
    /// Distinguishes the devices of one sandbox.
    let clientId: String

    // What the app keeps while it is closed
    var user = "ada"
    var jwt: String?
    var appUserId: String?
    var sessionToken: String?
    var pushToken: String?
    var conversation: String?

    // As long as it runs
    var isReady = false
    var hasGivenUp = false
    var policy: (base: Double, factor: Double, most: Int) = (60, 2, 5)
    var line: (any Line)?
    var bayeuxId: String?
    var isListening = false
    var seen: Set<String> = []
    var endings = 0

    init(_ stage: ClientStage, _ platform: Platform, _ style: Style, app: String, clientId: String = "device-1") {
        (self.stage, self.platform, self.style, self.app, self.clientId) = (stage, platform, style, app, clientId)
    }

    var client: JSON {
        .members([
            "id": .string(clientId), "platform": .string(platform.rawValue), "integrationId": .string("\(app)\(platform.rawValue)"),
            "appVersion": "1.4.2", "pushNotificationToken": pushToken.map { .string($0) },
        ])
    }

    var author: JSON { ["role": "appUser", "appUserId": .string(appUserId ?? ""), "client": client] }

    // MARK: Calls

    private var headers: HTTPFields {
        var headers: HTTPFields = [
            HTTPField.Name("x-smooch-sdk")!: "\(platform.rawValue)/khoros/1.0.0", HTTPField.Name("x-smooch-clientid")!: clientId,
            HTTPField.Name("x-smooch-appid")!: app,
        ]
        if let jwt {
            headers[.authorization] = "Bearer \(jwt)"
        } else if let appUserId, let sessionToken {
            headers[.authorization] = "Basic " + Data("\(appUserId):\(sessionToken)".utf8).base64EncodedString()
        }
        return headers
    }

    /// Nil where no answer came.
    func send(_ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, timeOut: Double = 45) async throws -> TestAnswer? {
        let (server, headers) = (stage.server, headers)
        return try await stage.drive(timeOut: timeOut) {
            guard let json else { return try await server.send(method, target, headers: headers) }
            return try await server.send(method, target, headers: headers, json: json)
        }
    }

    /// A call of the SDK's: refused as invalid, it is sent again with another JWT, five times.
    ///
    /// - Parameter path: behind `/v2/apps/{appId}`.
    func call(_ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, isLogin: Bool = false) async throws -> TestAnswer? {
        var isRenewed = false
        for repeats in 0...5 {
            guard let answer = try await send(method, "/v2/apps/\(app)\(path)", json) else { return nil }
            guard jwt != nil, platform.asksForAJWT(answer), !hasGivenUp else {
                if isRenewed, !isLogin, answer.status < 300 { try await recreate() }
                return answer
            }
            guard repeats < 5, try await fetchJWT() else { break }
            isRenewed = true
            if style == .logsInAnew, !isLogin, try await !logIn() { break }
        }
        hasGivenUp = true
        try await mark("gave-up")
        return nil
    }

    /// The app's own call to the brand.
    func fetchJWT() async throws -> Bool {
        let minted = try await stage.server.admin(
            .post, "credentials", ["form": "access-token", "subject": .string(user)], sandbox: stage.sandbox)
        let token = minted["credential"]?.string ?? ""
        let (server, path) = (stage.server, "\(stage.scene.provider)/jwt")
        let body: JSON = ["userId": .string(user), "name": .string(user.capitalized), "platform": .string(platform.rawValue)]
        let answer = try await stage.drive(timeOut: 45) {
            try await server.send(.post, path, headers: [.authorization: "Bearer \(token)"], json: body)
        }
        guard let fresh = answer?.json?["jwt"]?.string else { return false }
        jwt = fresh
        return true
    }

    // MARK: Around it

    func mark(_ name: String, _ members: JSON = [:]) async throws {
        try await stage.mark(name, members, lane: clientId)
    }

    func act(_ operation: String, _ members: JSON.Object = [:]) async throws {
        let named: JSON.Object = ["consumer": .string(jwt == nil ? appUserId ?? user : user)]
        let with = JSON.object(named.merging(members, uniquingKeysWith: { $1 }))
        _ = try await stage.server.send(
            .post, "/__admin/sandboxes/\(stage.sandbox)/acts", json: ["operation": .string(operation), "vendor": "khoros", "with": with])
    }
}
