import SparringVendorKit

/// How an account's pushes leave LivePerson: the account's member `push`.
struct PushSettings: Decodable, Sendable {
    enum PushType: String, Decodable, Sendable {
        case apns = "APNS"
        case fcm = "FCM"
        case huawei = "HUAWEI"
    }

    /// The brand's push-proxy endpoint (LivePerson reference 8.4).
    struct Proxy: Sendable {
        /// With a slash in front: on this server.
        var url: String
        /// RFC 7617, without the word `Basic`.
        var credentials: String?
        var headers: [(name: String, value: String)]
        /// On the wall clock, after which an attempt has failed.
        var timeout: Duration
        /// Mutual TLS, and the authorities that the endpoint's certificate may come from.
        var tls: OutboundTLS?
    }

    struct App: Decodable, Sendable {
        var id: String
        var pushType: PushType
        var proxy: Proxy?

        private enum CodingKeys: String, CodingKey {
            case id = "appId"
            case pushType, proxy
        }
    }

    /// Empty: any app, as the registration names it.
    var apps: [App]
    /// The proxy of the apps that have none of their own. Nil: LivePerson calls the providers itself, whom Sparring plays.
    var proxy: Proxy?

    func proxy(of app: String) -> Proxy? { apps.first { $0.id == app }?.proxy ?? proxy }

    /// Why nothing can be sent to an app; nil where it can.
    func objection(to app: String, _ pushType: String) -> String? {
        guard !apps.isEmpty else { return nil }
        guard let known = apps.first(where: { $0.id == app }) else {
            return "the account has no app '\(app)'" + Nearest.hint(for: app, in: apps.map(\.id))
        }
        return known.pushType.rawValue == pushType
            ? nil : "the app '\(app)' is configured for \(known.pushType.rawValue), its device registered for \(pushType)"
    }
}

extension PushSettings.Proxy: Decodable {
    private enum CodingKeys: String, CodingKey {
        case url, username, password, headers, timeout
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let url = try members.endpointIfPresent(forKey: .url) else {
            throw members.refusal(of: .url, "a push proxy needs its URL, absolute or a path of this server")
        }
        self.url = url
        let username = try members.decodeIfPresent(String.self, forKey: .username)
        let password = try members.decodeIfPresent(String.self, forKey: .password)
        guard (username == nil) == (password == nil) else { throw members.refusal(of: .password, "username and password go together") }
        credentials = username.map { Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
        headers = (try members.decode(JSON.self, forKey: .headers).object ?? [:]).map { ($0, $1.string ?? "") }
        timeout = try members.decode(Duration.self, forKey: .timeout)
        tls = try OutboundTLS(settings: decoder)
    }
}

extension PushSettings.Proxy {
    var fields: HTTPFields {
        var fields: HTTPFields = [.contentType: "application/json"]
        if let credentials { fields[.authorization] = "Basic \(credentials)" }
        for header in headers {
            if let name = HTTPField.Name(header.name) { fields.append(HTTPField(name: name, value: header.value)) }
        }
        return fields
    }
}
