import HTTPTypes
import SparringEngine
import SparringJSON
import SparringJournal

/// The customer's push endpoint, as it was agreed with a company (ASAPP reference 2.4 and 2.6): the company's member `push`.
struct PushEndpoint: Sendable {
    /// With a slash in front: on this server.
    var url: String
    /// What shows the endpoint that ASAPP calls: it stands in the template as `{{authToken}}`, or in a header.
    var secret: String
    /// With placeholders, as the template.
    var headers: [(name: HTTPField.Name, value: String)]
    var template: PushTemplate
    /// On the wall clock, after which an attempt has failed.
    var timeout: Duration
    /// How long after each attempt that failed the next one is due; there are as many more attempts.
    var waits: [Duration]
    var title: String
    var tls: OutboundTLS?

    static let member = "push"
    private static let known = [
        "url", "secret", "headers", "template", "timeout", "waits", "title", "clientCertificate", "clientKey", "trustedCertificates",
    ]

    init(_ company: Members, ownPath: String) throws(ConfigurationError) {
        let members = try Members(
            company.object[Self.member] ?? [:], at: company.pointer.appending(Self.member), known: Self.known)
        url = try members.endpoint("url") ?? ownPath
        secret = try members.string("secret") ?? "asapp-push-secret"
        template = try PushTemplate(
            members.object["template"] ?? .string(PushTemplate.documented), at: members.pointer.appending("template"))
        timeout = try members.lifetime("timeout") ?? .seconds(5)
        guard timeout > .zero, timeout <= .seconds(300) else { throw members.error("timeout", "more than nothing and at most 5 minutes") }
        title = try members.string("title") ?? "New Message"
        headers = []
        for (name, value) in try members.object("headers") ?? [:] {
            let place = members.pointer.appending("headers").appending(name)
            guard let field = HTTPField.Name(name) else { throw ConfigurationError(place, "'\(name)' is no name of a header") }
            guard let text = value.string, HTTPField.isValidValue(text) else {
                throw ConfigurationError(place, "it is no value of a header")
            }
            try PushTemplate.check(text, at: place)
            headers.append((field, text))
        }
        waits = []
        for (index, json) in (try members.array("waits") ?? Self.standardWaits).enumerated() {
            guard let wait = json.string.flatMap({ Duration(text: $0) }), wait <= .longest else {
                throw ConfigurationError(members.pointer.appending("waits").appending(index), "\(json.text) is not a duration such as 1s")
            }
            waits.append(wait)
        }
        guard waits.count <= 20 else { throw members.error("waits", "more than 20 more attempts") }
        tls = try PushSettings.tls(members)
    }

    private static let standardWaits: [JSON] = ["1s", "2s", "4s"]

    var json: JSON {
        [
            "url": .string(url), "secret": .string(secret), "template": template.json, "timeout": .string(timeout.shortText),
            "waits": .array(waits.map { .string($0.shortText) }), "title": .string(title),
            "headers": .object(JSON.Object(headers.map { ($0.name.rawName, .string($0.value)) }, uniquingKeysWith: { $1 })),
        ]
    }

    /// Why a push is not ASAPP's: it has not the secret where that was agreed; nil where it is, or nothing was agreed.
    func objection(to body: JSON, headers sent: (HTTPField.Name) -> String?) -> String? {
        if template.places[.authToken] != nil, template.value(.authToken, in: body)?.string?.isSame(as: secret) != true {
            return "\(template.place(.authToken)) is not the secret that was agreed"
        }
        let placeholder = PushTemplate.Value.authToken.placeholder
        for header in headers where header.value.contains(placeholder) {
            if sent(header.name)?.isSame(as: header.value.replacing(placeholder, with: secret)) != true {
                return "\(header.name.rawName) is not what was agreed"
            }
        }
        return nil
    }

    /// The headers of a push.
    func fields(_ values: [PushTemplate.Value: JSON]) -> HTTPFields {
        var fields: HTTPFields = [.contentType: "application/json"]
        for header in headers {
            fields[header.name] = PushTemplate.substituted(header.value, values)
        }
        return fields
    }
}
