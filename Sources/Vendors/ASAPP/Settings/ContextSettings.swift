import SparringVendorKit

/// How the token of a request context is checked (ASAPP reference 2.2): the company's member `context`.
struct ContextSettings: Sendable {
    enum Validation: String, Decodable {
        /// The token is a JWT of the brand's, whose signature and claims are checked.
        case decode
        /// The customer's own API is asked.
        case api
        /// The token's subject is compared with what the app said; the signature is not looked at.
        case compare
    }

    var validation: Validation
    /// The token's place in the context, which is agreed with each company.
    var place: JSONPointer
    /// The URL of the customer's API, with a slash in front on this server; nil: the one that Sparring plays.
    var url: String?
    var timeout: Duration
}

extension ContextSettings: Decodable {
    private enum CodingKeys: String, CodingKey {
        case validation, token, url, timeout
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        validation = try members.decode(Validation.self, forKey: .validation)
        place = JSONPointer(try members.decode(String.self, forKey: .token)) ?? .root
        url = try members.endpointIfPresent(forKey: .url)
        timeout = try members.decode(Duration.self, forKey: .timeout)
    }
}
