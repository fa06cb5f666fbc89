import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal

/// How the token of a request context is checked (ASAPP reference 2.2): the company's member `context`.
struct ContextSettings: Sendable {
    enum Validation: String, CaseIterable {
        /// The token is a JWT of the brand's, whose signature and claims are checked.
        case decode
        /// The customer's own API is asked.
        case api
        /// The token's subject is compared with what the app said; the signature is not looked at.
        case compare
    }

    var validation: Validation
    /// Where in the context the token stands; it is agreed with each company.
    var place: JSONPointer
    /// Of the customer's API; with a slash in front: on this server.
    var url: String
    var timeout: Duration

    static let member = "context"

    init(_ company: Members, validationPath: String) throws(ConfigurationError) {
        let members = try Members(
            company.object[Self.member] ?? [:], at: company.pointer.appending(Self.member),
            known: ["validation", "token", "url", "timeout"])
        validation = try members.word("validation", Validation.self) ?? .decode
        let text = try members.string("token") ?? "/Auth/Token"
        guard let place = JSONPointer(text) else { throw members.error("token", "'\(text)' is not a JSON Pointer such as /Auth/Token") }
        self.place = place
        url = try members.endpoint("url") ?? validationPath
        timeout = try members.lifetime("timeout") ?? .seconds(5)
        guard timeout > .zero else { throw members.error("timeout", "more than nothing") }
    }

    var json: JSON {
        [
            "validation": .string(validation.rawValue), "token": .string(place.description), "url": .string(url),
            "timeout": .string(timeout.shortText),
        ]
    }
}
