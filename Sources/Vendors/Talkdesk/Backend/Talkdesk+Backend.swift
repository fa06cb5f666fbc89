import SparringVendorKit

/// The brand's backend, which Sparring plays for those who test the app (Authorization; Talkdesk reference 3.3): it asks Talkdesk ID for
/// each token separately.
extension Talkdesk {
    struct Fetched: Sendable {
        var token: String
        /// The token and its owner, in words.
        var words: String
        /// The caller has one that is still good.
        var finding: Finding?
    }

    func prepareAccess(_ call: Call) async throws -> Result<Fetched, Refusal> {
        do { return .success(try await fetch(call)) } catch let refusal as Refusal { return .failure(refusal) }
    }

    private func fetch(_ call: Call) async throws -> Fetched {
        let settings = call.settings(of: self)
        let person = try await person(call)
        if let app = call.request.pathParameters["appId"] {
            guard settings.backend.apps.containsSame(as: app) else {
                throw Refusal("app-unknown", "the backend serves \(settings.backend.apps.joined(separator: ", ")), and not \(app.quoted)")
            }
        }
        if let person, settings.backend.denied.containsSame(as: person) {
            throw Refusal("access-denied", "\(person) is one of those whom the brand denies")
        }
        let (lane, account, sandbox, now) = (call.lane, call.tenant.id, call.sandbox.id, call.now)
        let held = try await call.read { try TalkdeskTokenState.newest(in: lane, of: account, sandbox, $0) }
        guard let request = try await TokenRequest(call: call, vendor: self, settings: settings) else {
            throw Refusal("talkdesk-refused", "the account has no client that the backend could be")
        }
        var fetched = Fetched(token: try await request.token(), words: "a token for \(person ?? "the app")")
        if let held, !held.isRevoked, held.expiresAt - now > Self.renewal {
            fetched.finding = Finding(
                "token-still-good", at: "request", "the token of \(held.issuedAt) is good for another \((held.expiresAt - now).words)")
        }
        return fetched
    }

    /// How long before its end a token may be renewed: a public client does so when less than a minute is left (Talkdesk reference 3.4).
    private static let renewal = Duration.seconds(60)

    /// The caller: the app by its password, in the samples' form; a person who is signed in at the brand; or nobody in particular.
    private func person(_ call: Call) async throws -> String? {
        let backend = call.settings(of: self).backend
        let header = call.header(.authorization) ?? ""
        let isBearer = header.lowercased().hasPrefix("bearer ")
        let isSample = call.operation.id != Operation.fetchAccess.rawValue
        if isSample, !isBearer {
            guard header.lowercased().hasPrefix("basic "), let sent = Base64.decode(header.credential) else {
                throw Refusal("app-credentials-refused", "Authorization is not 'Basic ' and base64 of user:password")
            }
            guard sent == Array("\(backend.user):\(backend.password)".utf8) else {
                throw Refusal("app-credentials-refused", "the user or the password is wrong")
            }
            return nil
        }
        let (credential, sandbox) = (header.credential, call.sandbox.id)
        let session = isBearer ? try await call.read { try BrandAccessToken.find(credential, sandbox, $0) } : nil
        if let session, call.now < session.expiresAt { return session.subject }
        // In the samples' form somebody must show who they are.
        if isSample {
            throw Refusal("app-credentials-refused", "the Bearer is not a valid access token of the brand's identity provider")
        }
        guard backend.requiresSession else { return session?.subject }
        if let session {
            throw Refusal("session-expired", "the sign-in expired \((call.now - session.expiresAt).words) ago")
        }
        throw isBearer
            ? Refusal("session-unknown", "the access token is none that the brand's identity provider issued")
            : Refusal("session-required", "only people who are signed in get a token, and no 'Bearer' came")
    }

    /// In the form of the SDK's guide: the raw token.
    func fetchAccess(_ db: Database, _ call: Call, _ fetched: Result<Fetched, Refusal>) throws -> Decision {
        answer(fetched, call) { Answer("access-granted", body: .text($0)) }
    }

    /// In the form of the published samples.
    func fetchAppToken(_ db: Database, _ call: Call, _ fetched: Result<Fetched, Refusal>) throws -> Decision {
        answer(fetched, call) { Answer("token-given", ["auth_token": .string($0)]) }
    }

    private func answer(_ fetched: Result<Fetched, Refusal>, _ call: Call, _ make: (String) -> Answer) -> Decision {
        switch fetched {
        case .failure(let refusal): return refused(refusal, call)
        case .success(let fetched):
            var answer = make(fetched.token)
            answer.cause = fetched.words
            answer.findings = secretsSent(call) + (fetched.finding.map { [$0] } ?? [])
            return .answer(answer)
        }
    }
}
