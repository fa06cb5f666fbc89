import HTTPTypes
import SparringJSON
import SparringJournal
import Testing

@testable import SparringAdmin

/// The differences between an answer and the recorded one that count, and those that are noise.
@Suite struct ComparisonTests {
    private static let now = Timestamp("2026-01-01T00:00:00Z")!

    private static func compare(_ recorded: String, _ replayed: String, _ known: [String: String] = [:]) throws -> Comparison {
        var correspondence = Correspondence()
        for (value, other) in known { correspondence.note(value, other) }
        var comparison = Comparison(correspondence, at: now, tolerance: .seconds(2))
        comparison.compare(try JSON(parsing: recorded), try JSON(parsing: replayed), at: Place("body"))
        return comparison
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#, []), (#"{"a":1}"#, #"{"a":2}"#, ["value body.a"]), (#"{"a":1}"#, #"{"a":"1"}"#, ["type body.a"]),
        (#"{"a":1}"#, "{}", ["missing body.a"]), ("{}", #"{"a":1}"#, ["surplus body.a"]), (#"{"a":null}"#, #"{"a":{}}"#, ["type body.a"]),
        (#"{"a":true}"#, #"{"a":false}"#, ["value body.a"]), (#"{"a":"OPEN"}"#, #"{"a":"CLOSE"}"#, ["value body.a"]),
        // Nobody chose these.
        (#"{"a":"1b4e28ba-2fa1-11d2"}"#, #"{"a":"6fa459ea-ee8a-3ca4"}"#, []), (#"{"a":1234567890123}"#, #"{"a":9876543210987}"#, []),
        (#"{"a":12345}"#, #"{"a":98765}"#, ["value body.a"]),
        // The same id twice is the same id twice.
        (#"["1b4e28ba1","1b4e28ba1"]"#, #"["6fa459ea1","6fa459ea2"]"#, ["reference body[1]"]),
        (#"["1b4e28ba1","1b4e28ba2"]"#, #"["6fa459ea1","6fa459ea1"]"#, ["reference body[1]"]),
        // Members are named by ids, too.
        (#"{"1b4e28ba1":{"n":1}}"#, #"{"6fa459ea1":{"n":1}}"#, []),
        (#"{"1b4e28ba1":{"n":1}}"#, #"{"6fa459ea1":{"n":2}}"#, ["value body.1b4e28ba1.n"]),
        // Times count by their distance from now.
        (#"{"a":"2026-01-01T01:00:00Z"}"#, #"{"a":"2026-01-01T01:00:01Z"}"#, []),
        (#"{"a":"2026-01-01T01:00:00Z"}"#, #"{"a":"2026-01-01T00:30:00Z"}"#, ["time body.a"]),
        (#"{"a":1767229200}"#, #"{"a":1767227400}"#, ["time body.a"]), (#"{"a":1767229200000}"#, #"{"a":1767229201000}"#, []),
        (#"{"a":"Thu, 01 Jan 2026 01:00:00 GMT"}"#, #"{"a":"Thu, 01 Jan 2026 02:00:00 GMT"}"#, ["time body.a"]),
        // Texts with ids and addresses in them.
        (#"{"a":"message 3 of 1b4e28ba1"}"#, #"{"a":"message 3 of 6fa459ea1"}"#, []),
        (#"{"a":"message 3 of 1b4e28ba1"}"#, #"{"a":"message 4 of 6fa459ea1"}"#, ["value body.a"]),
        (#"{"a":"http://va.vendor.example/x/1b4e28ba1?v=2"}"#, #"{"a":"http://localhost:80/x/6fa459ea1?v=2"}"#, []),
        (#"{"a":"http://va.vendor.example/x"}"#, #"{"a":"http://localhost:80/y"}"#, ["value body.a"]),
        // Placeholders.
        (#"{"a":"«token:1»"}"#, #"{"a":"anything"}"#, []), (#"["«token:1»","«token:1»"]"#, #"["one","other"]"#, ["reference body[1]"]),
        (#"{"a":"x «code:1» y"}"#, #"{"a":"x 12 y"}"#, []), (#"{"a":"x «code:1» y"}"#, #"{"a":"z 12 y"}"#, ["value body.a"]),
        // A token's claims.
        (#"{"a":"eyJhIjoxfQ.eyJzdWIiOiJhZGEifQ.«jwt:1»"}"#, #"{"a":"eyJhIjoxfQ.eyJzdWIiOiJhZGEifQ.c2ln"}"#, []),
        (#"{"a":"eyJhIjoxfQ.eyJzdWIiOiJhZGEifQ.«jwt:1»"}"#, #"{"a":"eyJhIjoxfQ.eyJzdWIiOiJib2IifQ.c2ln"}"#, ["value body.a claims.sub"]),
        // Lists are aligned.
        (#"[{"a":1,"b":2,"c":3},{"a":4,"b":5,"c":6}]"#, #"[{"a":4,"b":5,"c":6}]"#, ["missing body[0]"]),
        (#"[{"a":1,"b":2,"c":3}]"#, #"[{"a":4,"b":5,"c":6},{"a":1,"b":2,"c":3}]"#, ["surplus body[0]"]),
        (
            #"[{"a":1,"b":2,"c":3,"d":4,"e":5},{"a":6,"b":7,"c":8,"d":9,"e":0}]"#,
            #"[{"a":6,"b":7,"c":8,"d":9,"e":0},{"a":1,"b":2,"c":3,"d":4,"e":5}]"#, ["order body[1]"]
        ),
        (#"["a","b"]"#, #"["a","c"]"#, ["value body[1]"]),
    ])
    func `each value is held against the one at the same place`(recorded: String, replayed: String, expected: [String]) throws {
        let found = try Self.compare(recorded, replayed).differences.map { "\($0.kind) \($0.place.text)" }
        #expect(found == expected, "\(recorded) \(replayed)")
    }

    @Test(arguments: [
        ("2026-01-01T00:00:05.200Z", "2026-01-01T00:00:00.100Z", true), ("2026-01-01T00:00:05.200Z", "2026-01-01T00:00:00Z", true),
        ("2026-01-01T00:00:05Z", "2026-01-01T00:00:00.100Z", true), ("2026-01-01T00:00:05.200Z", "2026-01-01T00:00:01.100Z", false),
        ("2026-01-01T00:00:06.200Z", "2026-01-01T00:00:00.100Z", false),
    ])
    func `a time that stood for another stands for it again, to the second`(recorded: String, replayed: String, isNoise: Bool) throws {
        // Of a notification that came five seconds late.
        var late = Comparison(Correspondence(), at: Self.now, tolerance: .seconds(7))
        late.compare("2026-01-01T00:00:05.200Z", "2026-01-01T00:00:00.100Z", at: Place("message"))
        var again = Comparison(late.correspondence, at: Self.now, tolerance: .seconds(2))
        again.compare(JSON.string(recorded), .string(replayed), at: Place("body"))
        #expect(late.differences.isEmpty && again.differences.isEmpty == isNoise)
    }

    @Test func `what stands for an id is used from then on`() throws {
        let first = try Self.compare(#"{"id":"1b4e28ba-2fa1-11d2","n":123456789}"#, #"{"id":"6fa459ea-ee8a-3ca4","n":987654321}"#)
        let known = first.correspondence
        #expect(known.translate("/a/1b4e28ba-2fa1-11d2/b?n=123456789") == "/a/6fa459ea-ee8a-3ca4/b?n=987654321")
        // Not within another word.
        #expect(known.translate("x1b4e28ba-2fa1-11d2") == "x1b4e28ba-2fa1-11d2" && known.translate("1234567890") == "1234567890")
        #expect(known.translate(["a": [123_456_789, "1b4e28ba-2fa1-11d2"]] as JSON) == ["a": [987_654_321, "6fa459ea-ee8a-3ca4"]])
        #expect(first.noise == [.ids: 2])
    }

    @Test func `of header fields those count that say something`() throws {
        func compare(_ recorded: HTTPFields, _ replayed: HTTPFields) -> [String] {
            var comparison = Comparison(Correspondence(), at: Self.now, tolerance: .seconds(2))
            comparison.compare(recorded, replayed, declared: ["X-Limit"])
            return comparison.differences.map { "\($0.kind) \($0.place.text)" }
        }
        let limit = try #require(HTTPField.Name("X-Limit"))
        #expect(compare([.server: "nginx", .contentType: "application/json"], [.contentType: "application/json; charset=utf-8"]) == [])
        #expect(compare([limit: "3"], [:]) == ["missing answer header x-limit"])
        #expect(compare([limit: "3"], [limit: "4"]) == ["value answer header x-limit"])
        #expect(compare([.retryAfter: "30"], [:]) == ["missing answer header retry-after"])
        #expect(
            compare([.location: "https://a.example/?code=%C2%ABcode:1%C2%BB&state=x"], [.location: "https://a.example/?code=q7&state=x"])
                == [])
        #expect(
            compare([.location: "https://a.example/?code=%C2%ABcode:1%C2%BB&state=x"], [.location: "https://a.example/?code=q7&state=y"])
                == ["value answer header location"])
    }
}
