/// A kind of change that a vendor may make without notice, and that a client must be able to take. The numbers are those of the catalogue in the
/// documentation, where each has its evidence.
package enum VariationFamily: Int, Sendable, CaseIterable, Comparable {
    case absent = 1
    case null = 2
    case empty = 3
    case unknownMember = 4
    case unknownValue = 5
    case unknownMessage = 6
    case oddItem = 7
    case sizes = 8
    case length = 9
    case integers = 10
    case numberSpelling = 11
    case timeSpelling = 12
    case spelling = 13
    case listForObject = 14
    case objectForList = 15
    case headers = 17
    case contentType = 18
    case framing = 19
    case frames = 20
    case order = 21
    case repeats = 22
    case unasked = 23
    case keys = 24
    case tokens = 25
    case unicode = 26
    case hosts = 27
    case errorPage = 28
    case uuidSpelling = 29

    /// How far it goes.
    package enum Tier: Int, Sendable {
        /// Within the contract.
        case contract = 1
        /// Outside today's contract, and within every published policy of compatibility.
        case policy = 2
        /// Seen, and arguably the vendor's fault.
        case wild = 3
    }

    /// `V5`.
    package var id: String { "V\(rawValue)" }

    package init?(id: String) {
        guard let family = Self.allCases.first(where: { $0.id == id.uppercased() }) else { return nil }
        self = family
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    package var tier: Tier {
        switch self {
        case .unknownMember, .unknownValue, .unknownMessage, .oddItem, .repeats, .keys, .tokens: .policy
        case .null, .empty, .numberSpelling, .listForObject, .objectForList, .errorPage, .uuidSpelling: .wild
        default: .contract
        }
    }

    /// In how many ways one place can be changed at most.
    package var ways: Int {
        switch self {
        case .unknownMember, .unicode: 6
        case .timeSpelling: 5
        case .headers, .framing: 4
        case .oddItem, .sizes, .length, .integers, .contentType, .frames, .keys: 3
        case .tokens: 2
        default: 1
        }
    }

    /// In a few words.
    package var title: String { words.title }

    /// Advice to the client's developer.
    package var advice: String { words.advice }

    private var words: (title: String, advice: String) {
        switch self {
        case .absent: ("optional members absent", "read members that the vendor calls optional as optional")
        case .null: ("null for absent members", "take null for absent, and absent for null")
        case .empty: ("empty values for null", "test for empty texts and objects where a value may be null")
        case .unknownMember: ("unknown members", "ignore members that you do not know")
        case .unknownValue: ("unknown values of enumerations", "decode unknown values to a fallback case")
        case .unknownMessage: ("unknown messages", "ignore messages whose type you do not know")
        case .oddItem: ("one item of an unknown kind in a list", "decode each item of a list on its own, and skip the one that fails")
        case .sizes: ("sizes of lists", "expect no items, one, and many")
        case .length: ("longer ids, tokens and texts", "keep ids, tokens and texts of any length, and look at nothing in them")
        case .integers: ("integers beyond 32 bits", "read integers as 64 bits")
        case .numberSpelling: ("numbers as texts", "take a number that is written as a text")
        case .timeSpelling: ("spellings of times", "read times as RFC 3339 allows: any number of digits after the second, any offset")
        case .spelling: ("order and spelling of JSON", "read JSON with a JSON parser, and rely on no order of members")
        case .listForObject: ("an empty list for an empty object", "take [] for {}")
        case .objectForList: ("an object for a list of one", "take an object for a list of one")
        case .headers:
            ("header fields in another case, another order, or new", "compare names of header fields without case (RFC 9110 §5.1)")
        case .contentType: ("spellings of Content-Type", "parse Content-Type: case and parameters may differ (RFC 9110 §8.3.1)")
        case .framing: ("chunked bodies, bodies in pieces", "let an HTTP library read the body to its end (RFC 9112 §6)")
        case .frames: ("WebSocket messages in fragments, pings between", "let a WebSocket library put messages together (RFC 6455 §5.4)")
        case .order: ("order of independent messages", "rely on no order between a response and the messages that the same call causes")
        case .repeats: ("a message twice", "know messages by their ids, and take each once")
        case .unasked: ("messages that were not asked for", "take messages of known types at any time, also if they change nothing")
        case .keys: ("additional keys in a key set", "choose the key by kid, and ignore keys that you do not understand (RFC 7517 §5)")
        case .tokens: ("spellings of token answers", "compare token_type without case, and rely on no order of scopes (RFC 6749 §5.1)")
        case .unicode: ("Unicode beyond ASCII", "take any Unicode text, and count in no other unit than you cut in")
        case .hosts: ("other hosts in addresses", "use the address that the vendor hands out as it is")
        case .errorPage: ("an error page for an error object", "look at the status before the body, and take any body with an error")
        case .uuidSpelling: ("UUIDs in upper case", "compare UUIDs without case (RFC 9562 §4)")
        }
    }
}
