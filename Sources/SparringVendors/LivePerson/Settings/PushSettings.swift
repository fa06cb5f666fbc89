import HTTPTypes
import SparringEngine
import SparringJSON
import SparringJournal
import SparringTokens

/// How an account's pushes leave LivePerson: `{"proxy":{…},"apps":[{"appId","pushType","proxy"}]}`, every member optional.
struct PushSettings: Sendable {
    enum PushType: String, Sendable, CaseIterable {
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

    struct App: Sendable {
        var id: String
        var pushType: PushType
        var proxy: Proxy?
    }

    /// Empty: any app, as the registration names it.
    var apps: [App]
    /// Of the apps that have none of their own. Nil: LivePerson calls the providers itself, whom Sparring plays.
    var proxy: Proxy?

    static let `default` = PushSettings(apps: [], proxy: nil)

    private init(apps: [App], proxy: Proxy?) {
        self.apps = apps
        self.proxy = proxy
    }

    init(_ json: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        let members = try Members(json, at: pointer, known: ["apps", "proxy"])
        proxy = try Self.proxy(members)
        apps = []
        for (index, json) in (try members.array("apps") ?? []).enumerated() {
            let app = try Members(json, at: pointer.appending("apps").appending(index), known: ["appId", "pushType", "proxy"])
            guard let id = try app.string("appId"), !id.isEmpty else { throw app.error("appId", "an app needs its id") }
            guard let pushType = try app.word("pushType", PushType.self) else {
                throw app.error("pushType", "an app needs its push type: APNS, FCM or HUAWEI")
            }
            guard !apps.contains(where: { $0.id == id }) else { throw app.error("appId", "'\(id)' is given twice") }
            apps.append(App(id: id, pushType: pushType, proxy: try Self.proxy(app)))
        }
    }

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

    // MARK: The limits of LivePerson reference 8.4

    private static let headerLimit = 4
    private static let nameLimit = 24
    private static let valueLimit = 300

    private static func proxy(_ members: Members) throws(ConfigurationError) -> Proxy? {
        guard let json = members.object["proxy"], !json.isNull else { return nil }
        let proxy = try Members(
            json, at: members.pointer.appending("proxy"),
            known: [
                "url", "username", "password", "headers", "timeout", "clientCertificate", "clientKey", "trustedCertificates",
            ])
        guard let url = try proxy.endpoint("url") else {
            throw proxy.error("url", "a push proxy needs its URL, absolute or a path of this server")
        }
        let (username, password) = (try proxy.string("username"), try proxy.string("password"))
        guard (username == nil) == (password == nil) else { throw proxy.error("password", "username and password go together") }
        guard username?.contains(":") != true else { throw proxy.error("username", "it must not hold a colon (RFC 7617 §2)") }
        let given = try proxy.object("headers") ?? [:]
        let pointer = proxy.pointer.appending("headers")
        guard given.count <= headerLimit else { throw ConfigurationError(pointer, "at most \(headerLimit) headers, not \(given.count)") }
        var headers: [(name: String, value: String)] = []
        for (name, value) in given {
            let place = pointer.appending(name)
            guard !name.isEmpty, name.utf8.count <= nameLimit, name.utf8.allSatisfy({ isLetter($0) || $0 == 0x2D }) else {
                throw ConfigurationError(place, "a name has up to \(nameLimit) letters")
            }
            guard let text = value.string, !text.isEmpty, text.utf8.count <= valueLimit, text.utf8.allSatisfy(isValue) else {
                throw ConfigurationError(place, "a value has up to \(valueLimit) letters, digits and - _ $ & @ . # *")
            }
            headers.append((name, text))
        }
        let timeout = try proxy.duration("timeout") ?? .seconds(10)
        guard timeout > .zero, timeout <= .seconds(300) else { throw proxy.error("timeout", "more than nothing and at most 5 minutes") }
        return Proxy(
            url: url, credentials: username.map { Base64.encode(Array("\($0):\(password ?? "")".utf8)) }, headers: headers,
            timeout: timeout,
            tls: try tls(proxy))
    }

    /// The members `clientCertificate`, `clientKey` and `trustedCertificates`, each in PEM.
    static func tls(_ proxy: Members) throws(ConfigurationError) -> OutboundTLS? {
        let (certificate, key) = (try proxy.string("clientCertificate"), try proxy.string("clientKey"))
        let trusted = try proxy.string("trustedCertificates")
        guard certificate != nil || key != nil || trusted != nil else { return nil }
        guard (certificate == nil) == (key == nil) else { throw proxy.error("clientKey", "clientCertificate and clientKey go together") }
        do throws(OutboundTLS.Unusable) {
            return try OutboundTLS(certificate: certificate, key: key, trusted: trusted)
        } catch {
            let member =
                switch error.part {
                case .certificate: "clientCertificate"
                case .key: "clientKey"
                case .trusted: "trustedCertificates"
                }
            throw proxy.error(member, "it cannot be used: \(error.reason)")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
    private static func isValue(_ byte: UInt8) -> Bool { isLetter(byte) || 0x30...0x39 ~= byte || "-_$&@.#*".utf8.contains(byte) }
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
