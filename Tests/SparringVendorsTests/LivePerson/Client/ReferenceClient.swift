import HTTPTypes
import SparringJSON
import Support

/// An app on one device, as the vendor's flows ask for it (the SDK flows' "User Logs into the App" and those after it), over the wire. Paths
/// stand here as the reference has them.
actor ReferenceClient {
    let stage: ClientStage
    let way: SigningIn
    let port: String?
    /// The app makes no more requests to LivePerson until it starts again.
    var isStopped = false

    // Who is signed in
    /// The brand's ID token, as long as nobody refused it.
    var brandToken: String?
    /// LivePerson's.
    var token: String?
    var namesRedirectURI = false
    var states = 0
    /// The code verifier of the last authorization request (RFC 7636 §4.1).
    var codeVerifier = ""
    /// The refresh token of the brand's server, where it redeems codes itself.
    var refreshToken: String?

    // The device
    var device = "phone-1"
    let app = "test.brand.app"
    var isRegistered = false
    var pushesSeen = 0
    var pushesShown: Set<String> = []
    var visitor: String?
    var session: String?

    // The window
    var line: (any Line)?
    var isWindowOpen = false
    var lastID = 0
    var conversation: String?
    /// Sockets that are over.
    var endings = 0
    var isFollowing = false
    /// A socket has been open in this window before.
    var isReturning = false
    /// An anonymous identity has run out.
    var mustExtend = false
    /// The next sequence that is to be shown.
    var next: Int64 = 0
    var ahead: [Int64: JSON] = [:]
    /// The messages so far, of all participants.
    var history: [String] = []
    /// The messages that the user typed and that are not known to have arrived.
    var outbox: [String] = []
    var heardEvents = 0
    var lastSent = 0.0
    var seconds = 0.0

    enum SigningIn: String, Sendable {
        case code, pkce, token, anonymous
        /// The brand's own server redeems the code, and hands the app the ID token.
        case backend
    }

    /// - Parameter port: the TLS port that the app is configured with, by its defect; nil: it speaks without TLS.
    init(_ stage: ClientStage, _ way: SigningIn, over port: String? = nil) {
        (self.stage, self.way, self.port) = (stage, way, port)
    }

    // MARK: Calls

    /// Nil where no answer came, or none that could be used.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil, headers: HTTPFields = [:], bytes: [UInt8] = [],
        timeOut: Double = 45
    ) async throws -> TestAnswer? {
        let server = stage.server
        let (stage, port) = (stage, port)
        return try await stage.drive(timeOut: timeOut) {
            if let port { return try await stage.send(over: port, method, target, json, headers: headers, bytes: bytes) }
            guard let json else { return try await server.send(method, target, headers: headers, body: bytes) }
            return try await server.send(method, target, headers: headers, json: json)
        }
    }

    func rest(_ wait: Double) async throws {
        seconds += wait
        try await stage.pass(wait)
    }

    func giveUp() async throws {
        try await stage.mark("gave-up")
    }

    // MARK: The standard retry policy

    /// The outcome of a call, as a client can tell.
    enum Decision: Sendable {
        case done(JSON)
        /// No answer, or a server that is overrun or down; with the seconds that it asks to wait.
        case unavailable(retryAfter: Double?)
        /// Another credential is needed.
        case unauthorized(JSON)
        case refused(JSON)
    }

    /// Calls, and calls again after the waits where that may help.
    ///
    /// - Parameter renew: gets a fresh credential after a refusal; at most three in a row.
    func retrying(
        _ waits: [Double] = [1, 2, 4, 8, 16], renew: (() async throws -> Bool)? = nil, _ call: () async throws -> Decision
    ) async throws -> Decision {
        var (attempt, refusals) = (0, 0)
        while true {
            let outcome = try await call()
            switch outcome {
            case .done, .refused: return outcome
            case .unauthorized:
                refusals += 1
                attempt = 0
                guard refusals < 3, let renew, try await renew() else { return outcome }
            case .unavailable(let retryAfter):
                guard attempt < waits.count else { return outcome }
                try await rest(retryAfter ?? waits[attempt])
                attempt += 1
            }
        }
    }

    /// Decides by the status, and by whether the body is what was asked for.
    static func outcome(_ answer: TestAnswer?) -> Decision {
        guard let answer else { return .unavailable(retryAfter: nil) }
        let retryAfter = answer.headers[.retryAfter].flatMap { Double($0) }
        let json = answer.json
        switch answer.status {
        case 204: return .done(.null)
        case 200..<300:
            let isJSON = answer.headers[.contentType]?.hasPrefix("application/json") == true
            return json.flatMap { isJSON ? .done($0) : nil } ?? .unavailable(retryAfter: nil)
        case 401, 403: return .unauthorized(json ?? .null)
        case 408, 429, 500...: return .unavailable(retryAfter: retryAfter)
        default: return .refused(json ?? .null)
        }
    }
}
