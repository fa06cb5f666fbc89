import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// A sandbox's parties, as a client of theirs is configured. Paths stand here as the reference has them, not as the contracts do.
struct Scene: Sendable {
    let server: TestServer
    let sandbox: String
    /// The tenants as the admin API publishes them.
    let tenants: JSON
    let identity: JSON
    let liveperson: JSON

    init(_ server: TestServer, sandbox: String = "default") async throws {
        (self.server, self.sandbox) = (server, sandbox)
        tenants = try #require(try await server.admin(.get, "", sandbox: sandbox)["tenants"])
        identity = try #require(tenants["identity"])
        liveperson = try #require(tenants["liveperson"])
    }

    var account: String { liveperson["accountId"]?.string ?? "" }
    var provider: String { "/identity/\(identity["tenantId"]?.string ?? "")" }
    var issuer: String { identity["issuer"]?.string ?? "" }
    var clientId: String { identity["clientId"]?.string ?? "" }
    var clientSecret: String { identity["clientSecret"]?.string ?? "" }
    static let redirectURI = "https://liveperson.net"

    /// The start of every test's sandbox, in seconds: 2026-01-01T00:00:00Z.
    static let now: Int64 = 1_767_225_600

    // MARK: LivePerson

    enum Version: String, Sendable, CaseIterable {
        case v1, v2, v3
        /// The member of the answer that has the token.
        var member: String { self == .v3 ? "token" : "jwt" }
        var operation: String { "liveperson.authenticate\(rawValue.uppercased())" }
    }

    static let connector = "770001"

    /// Signs in with whatever the body holds.
    func signIn(_ version: Version, _ body: JSON, account: String? = nil, connector: String = Self.connector) async throws -> TestAnswer {
        let base = "/api/account/\(account ?? self.account)"
        let path =
            switch version {
            case .v1: "/authenticate"
            case .v2: "/app/default/authenticate?v=2.0"
            case .v3: "/app/\(connector)/authenticate?v=3.0"
            }
        return try await server.send(.post, base + path, json: body)
    }

    /// Signs in with a token of the brand's.
    func signIn(_ version: Version, token: String) async throws -> TestAnswer {
        try await signIn(version, [version == .v1 ? "authCode" : "id_token": .string(token)])
    }

    // MARK: The identity provider

    /// The authorization request of a code flow, with the parameters given in place of or beside the usual ones.
    func authorize(_ parameters: KeyValuePairs<String, String?> = [:]) async throws -> TestAnswer {
        var all: [(name: String, value: String?)] = [
            ("response_type", "code"), ("client_id", clientId), ("redirect_uri", Self.redirectURI), ("scope", "openid"),
            ("state", "af0ifjsldkj"),
            ("login_hint", "ada"),
        ]
        for (name, value) in parameters {
            if let index = all.firstIndex(where: { $0.name == name }) { all[index].value = value } else { all.append((name, value)) }
        }
        let query = all.compactMap { name, value in value.map { "\(name)=\(Form.encoded($0))" } }.joined(separator: "&")
        return try await server.send(.get, "\(provider)/authorize?\(query)")
    }

    /// A code for ada.
    func code(_ parameters: KeyValuePairs<String, String?> = [:]) async throws -> String {
        try #require(Redirection(try await authorize(parameters))?["code"])
    }

    /// The token request, by Basic with the tenant's own secret where nothing else is said. Fields that are nil are left out.
    func redeem(
        _ form: KeyValuePairs<String, String?>, basic: (id: String, secret: String)?? = .none, headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        switch basic {
        case .none: headers[.authorization] = Form.basic(clientId, clientSecret)
        case .some(.none): break
        case .some(.some(let client)): headers[.authorization] = Form.basic(client.id, client.secret)
        }
        headers[.contentType] = "application/x-www-form-urlencoded"
        let body = form.compactMap { name, value in value.map { "\(name)=\(Form.encoded($0))" } }.joined(separator: "&")
        return try await server.send(.post, "\(provider)/token", headers: headers, body: Array(body.utf8))
    }

    func redeem(code: String) async throws -> TestAnswer {
        try await redeem(["grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI])
    }

    /// A credential of the sandbox's own provider.
    func mint(_ form: JSON) async throws -> String {
        var form = form
        if form["subject"] == nil { form["subject"] = "ada" }
        return try #require(try await server.admin(.post, "credentials", form, sandbox: sandbox)["credential"]?.string)
    }

    // MARK: Around it

    func configure(_ vendor: String, _ patch: JSON) async throws -> Scene {
        try await server.admin(.patch, "tenants/\(vendor)", patch, sandbox: sandbox)
        return try await Scene(server, sandbox: sandbox)
    }

    func advance(_ by: String) async throws { try await server.admin(.post, "clock/advance", ["by": .string(by)], sandbox: sandbox) }

    func arm(_ fault: String) async throws { try await server.admin(.post, "faults", ["fault": .string(fault)], sandbox: sandbox) }

    /// The newest entry of an operation.
    func entry(_ operation: String) async throws -> JSON? {
        try await server.journal("?operation=\(operation)&kind=exchange", sandbox: sandbox).last
    }

    /// Sparring's findings about its own answers.
    func findings() async throws -> [JSON] { try await server.journal("?kind=finding", sandbox: sandbox) }
}

extension JSON {
    /// The cause of a journal entry.
    var cause: String { self["cause"]?.string ?? "" }
    var answerName: String? { self["answer"]?["name"]?.string }
}

/// The target of a redirect.
struct Redirection {
    let location: String
    /// The redirect URI: the location up to what was added.
    let target: String
    let isFragment: Bool
    private let parameters: [(name: String, value: String)]

    /// Nil where the answer is no redirect.
    init?(_ answer: TestAnswer) {
        guard answer.status == 302, let location = answer.headers[.location] else { return nil }
        self.location = location
        let mark = location.firstIndex { $0 == "?" || $0 == "#" } ?? location.endIndex
        target = String(location[..<mark])
        isFragment = mark < location.endIndex && location[mark] == "#"
        parameters = location[mark...].dropFirst().split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : "")
        }
    }

    /// Nil where the parameter is missing or came twice.
    subscript(name: String) -> String? {
        let found = parameters.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    var names: [String] { parameters.map(\.name).sorted() }
}

enum Form {
    static func encoded(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "-._~")
        allowed.formUnion(
            CharacterSet(charactersIn: "0"..."9").union(CharacterSet(charactersIn: "A"..."Z")).union(CharacterSet(charactersIn: "a"..."z")))
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// RFC 6749 §2.3.1: each half is form-encoded first.
    static func basic(_ id: String, _ secret: String) -> String {
        "Basic " + Data("\(encoded(id)):\(encoded(secret))".utf8).base64EncodedString()
    }
}
