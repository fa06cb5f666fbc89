import HTTPTypes
import SparringJSON
import Support

/// The result of an app's own deed, as far as the app knows it.
enum Outcome: String, Sendable {
    /// It was acknowledged: it must be so from now on.
    case done
    /// It was refused: it must not be so.
    case refused
    /// Nobody can tell.
    case unknown
    /// The app is not there yet: it did nothing.
    case idle
}

/// An app of a vendor's: what it does, one thing at a time, as a story says.
protocol SimulatedApp: AnyObject, Sendable {
    /// - Parameter published: what the sandbox publishes, by vendor.
    init(_ line: AppLine, _ published: JSON)
    var line: AppLine { get }
    /// Signs in with a code of the brand's.
    func signIn(_ code: String) async throws -> Outcome
    /// Opens the socket, if there is one, and follows what is said.
    func enter() async throws -> Outcome
    func say(_ text: String) async throws -> Outcome
    /// Reads what there is.
    func read() async throws -> Outcome
    /// - Parameter device: a token for pushes.
    func register(_ device: String) async throws -> Outcome
    func unregister(_ device: String) async throws -> Outcome
    /// Ends the conversation.
    func end() async throws -> Outcome
}

extension SimulatedApp {
    func enter() async throws -> Outcome { .idle }
    func register(_ device: String) async throws -> Outcome { .idle }
    func unregister(_ device: String) async throws -> Outcome { .idle }
}

extension SimulatedServer.Reply {
    var json: JSON? { if case .answer(let answer) = self { answer.json } else { nil } }

    /// - Parameter isGood: what else an answer must be, beside its status.
    func outcome(_ isGood: (JSON) -> Bool = { _ in true }) -> Outcome {
        switch self {
        case .opened: .done
        case .answer(let answer) where answer.status < 300: isGood(answer.json ?? .null) ? .done : .unknown
        // What stands in the way of an answer may do so after the deed.
        case .answer(let answer): answer.status < 500 ? .refused : .unknown
        case .lost, .held: .unknown
        }
    }
}

/// The brand's identity provider, as all apps use it.
struct SimulatedBrand: Sendable {
    let provider: String
    let client: String
    let secret: String
    static let redirectURI = "https://liveperson.net"

    init(_ published: JSON) {
        let identity = published["identity"]
        provider = "/identity/\(identity?["tenantId"]?.string ?? "")"
        client = identity?["clientId"]?.string ?? ""
        secret = identity?["clientSecret"]?.string ?? ""
    }

    /// - Returns: nil where the provider gave none.
    func code(_ line: AppLine) async throws -> String? {
        let target =
            "\(provider)/authorize?response_type=code&client_id=\(client)&redirect_uri=\(Form.encoded(Self.redirectURI))"
            + "&scope=openid&state=s&login_hint=\(line.name.person)"
        guard case .answer(let answer) = try await line.call(.get, target) else { return nil }
        return Redirection(answer)?["code"]
    }

    /// - Returns: with the outcome, what the token endpoint gave.
    func redeem(_ code: String, _ line: AppLine) async throws -> (Outcome, JSON) {
        let reply = try await line.call(
            "\(provider)/token",
            form: [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "client_id": client,
                "client_secret": secret,
            ])
        return (reply.outcome { $0["access_token"] != nil }, reply.json ?? .null)
    }
}
