import SparringVendorKit

/// The backend's call to Talkdesk ID, as the vendor's sample server makes it (Talkdesk reference 3.4).
struct TokenRequest {
    /// A defect of the assertion.
    enum Defect: String {
        case wrongKey = "wrong-key"
        case unknownKid = "unknown-kid"
        case wrongAudience = "wrong-audience"
        case expired, reused
    }

    let call: Call
    let url: String
    private let backend: Talkdesk.Backend
    private let client: Talkdesk.Client
    private let key: SigningKey
    private let jti: String
    private let defect: Defect?
    /// Nothing has been signed lately that could be sent again: the first assertion of two.
    private let isFirst: Bool

    /// Nil if the account has no client.
    init?(call: Call, vendor: Talkdesk, settings: Talkdesk.Settings) async throws {
        guard let client = settings.backendClient else { return nil }
        (self.call, self.client, backend) = (call, client, settings.backend)
        url = vendor.path(.issueToken)
        defect = call.effect("assertion")?["defect"].flatMap(Defect.init(rawValue:))
        key = defect == .wrongKey ? try vendor.keys.stranger(.es256) : try vendor.keys.backend()
        let (sandbox, now) = (call.sandbox.id, call.now)
        let used = defect == .reused ? try await call.read { try TalkdeskGrantState.usedJTI(of: client.id, at: now, sandbox, $0) } : nil
        jti = used ?? call.draw("jti").uuid
        isFirst = defect == .reused && used == nil
    }

    func token() async throws(Refusal) -> String {
        var form = [("grant_type", "client_credentials"), ("scope", backend.scope)]
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "*/*"]
        // A defect is one of the assertion, so that there must be one.
        if backend.authentication == .privateKeyJWT || defect != nil {
            form += [
                ("client_id", client.id), ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", assertion),
            ]
        } else {
            let credentials = "\(PercentCoding.encoded(client.id)):\(PercentCoding.encoded(client.secret ?? ""))"
            headers[.authorization] = "Basic \(Base64.encode(Array(credentials.utf8)))"
        }
        let request = OutboundRequest(.post, url, headers: headers, body: Array(PercentCoding.form(form).utf8), timeout: .seconds(60))
        if isFirst { _ = await call.send(request) }
        switch await call.send(request) {
        case .timedOut(let reason): throw Refusal("talkdesk-timed-out", reason)
        case .failed(let reason): throw Refusal("talkdesk-unreachable", reason)
        case .answered(let answer):
            if answer.status == 200, let token = (try? JSON(parsing: answer.body))?["access_token"]?.string { return token }
            let words = "Talkdesk ID answered \(answer.status)" + (answer.cause.map { ": \($0)" } ?? "")
            throw Refusal("talkdesk-refused", words)
        }
    }

    private var assertion: String {
        let lifetime = Duration.seconds(300)
        let issued = defect == .expired ? call.now + (.zero - lifetime - lifetime) : call.now
        let own = client.keys.first { $0.publicKey.publicKeyBase64 == key.publicKeyBase64 } ?? client.keys.first
        let kid = own?.kid ?? "key-1"
        let audience = defect == .wrongAudience ? call.base : call.base + url
        return JWS.sign(
            exactly: ["kid": .string(defect == .unknownKid ? "unknown-\(kid)" : kid), "alg": .string(key.algorithm.rawValue)],
            payload: [
                "jti": .string(jti), "sub": .string(client.id), "iss": .string(client.id), "aud": .string(audience),
                "iat": .integer(issued.seconds), "exp": .integer((issued + lifetime).seconds),
            ], with: key)
    }
}
