import SparringVendorKit

/// The customer's push endpoint, as it was agreed with a company (ASAPP reference 2.4 and 2.6): the company's member `push`.
struct PushEndpoint: Sendable {
    /// With a slash in front: on this server. Nil: the one that Sparring plays.
    var url: String?
    /// The secret by which the endpoint knows that ASAPP calls: in the template as `{{authToken}}`, or in a header.
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

extension PushEndpoint: Decodable {
    private enum CodingKeys: String, CodingKey {
        case url, secret, headers, template, timeout, waits, title
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.endpointIfPresent(forKey: .url)
        secret = try members.decode(String.self, forKey: .secret)
        template = try members.decode(PushTemplate.self, forKey: .template)
        timeout = try members.decode(Duration.self, forKey: .timeout)
        waits = try members.decode([Duration].self, forKey: .waits)
        title = try members.decode(String.self, forKey: .title)
        headers = try Self.headers(members.superDecoder(forKey: .headers))
        tls = try OutboundTLS(settings: decoder)
    }

    /// In the order of the configuration.
    private static func headers(_ decoder: any Decoder) throws -> [(name: HTTPField.Name, value: String)] {
        try (JSON(from: decoder).object ?? [:]).map { name, value in
            let place = JSONPointer(tokens: decoder.codingPath.map(\.stringValue) + [name])
            guard let field = HTTPField.Name(name), let text = value.string, HTTPField.isValidValue(text) else {
                throw ConfigurationError(place, "it is not a value of a header")
            }
            try PushTemplate.check(text, at: place)
            return (field, text)
        }
    }
}
