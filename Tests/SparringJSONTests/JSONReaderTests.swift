import SparringJSON
import Testing

/// Reading what is `Decodable` from JSON.
@Suite struct JSONReaderTests {
    private struct Shop: Decodable, Equatable {
        enum Kind: String, Decodable {
            case small, large
        }

        struct Till: Decodable, Equatable {
            var id: Int
            var note: String?
        }

        struct Hours: InlinedMembers, Equatable {
            var opens: Duration
            var closes: Duration?
        }

        var name: String
        var kind: Kind
        var tills: [Till]
        var hours: Hours
        var isOpen: Bool
        var rate: Double
        var more: JSON
        var words: [String: String]
    }

    private static let sound: JSON = [
        "name": "Corner", "kind": "small", "tills": [["id": 1], ["id": 2, "note": "new"], ["id": 3, "note": .null]], "opens": "8h",
        "closes": 72_000,
        "isOpen": true, "rate": 1, "more": ["any": [1, .null]], "words": ["en": "shop"],
    ]

    @Test func `members are read as their types say, inlined ones beside the others`() throws {
        let shop: Shop = try Self.sound.decoded()
        #expect(
            shop
                == Shop(
                    name: "Corner", kind: .small, tills: [.init(id: 1), .init(id: 2, note: "new"), .init(id: 3)],
                    hours: .init(opens: .seconds(28_800), closes: .seconds(72_000)), isOpen: true, rate: 1, more: ["any": [1, .null]],
                    words: ["en": "shop"]))
    }

    @Test(
        arguments: [
            ("name", 7, "shop.name: 7 is not a string"), ("name", .null, "shop.name: null is not a string"),
            ("isOpen", "yes", "shop.isOpen: \"yes\" is not true or false"),
            ("tills", [:], "shop.tills: {} is not a list"), ("tills", [7], "shop.tills[0]: 7 is not an object"),
            ("tills", [["id": 1], ["id": 1.5]], "shop.tills[1].id: 1.5 is not a whole number from \(Int.min) to \(Int.max)"),
            ("tills", [[:]], "shop.tills[0].id: the member is missing"),
            ("opens", "8", "shop.opens: \"8\" is not a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"),
            ("closes", -1, "shop.closes: -1 is not a duration such as 60s, 10m or PT1H, or whole seconds, of ten years at most"),
            ("rate", "x", "shop.rate: \"x\" is not a number"), ("words", ["en": 1], "shop.words.en: 1 is not a string"),
        ] as [(String, JSON, String)])
    func `what a type cannot have is refused with its place`(_ member: String, _ value: JSON, _ words: String) {
        var json = Self.sound
        json[member] = value
        let error = #expect(throws: ConfigurationError.self) { try json.decoded(Shop.self, at: JSONPointer(tokens: ["shop"])) }
        #expect(error?.description == words)
    }

    @Test func `a word that an enumeration does not have is refused`() {
        var json = Self.sound
        json["kind"] = "huge"
        let error = #expect(throws: ConfigurationError.self) { try json.decoded(Shop.self) }
        #expect(error?.pointer == JSONPointer(tokens: ["kind"]))
    }
}
