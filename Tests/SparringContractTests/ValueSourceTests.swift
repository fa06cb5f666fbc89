import HTTPTypes
import SparringContract
import SparringJSON
import Testing

struct ValueSourceTests {
    /// `{"alg":"none"}.{"sub":"ada","n":7,"empty":""}.`
    static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEiLCJuIjo3LCJlbXB0eSI6IiJ9."

    @Test(
        arguments: [
            (.path("id"), .plain, "p"), (.path("other"), .plain, nil), (.query("q"), .plain, "first"), (.query("none"), .plain, nil),
            (.query("blank"), .plain, nil), (.header("AUTHORIZATION"), .plain, "Bearer \(token)"), (.header("not a name"), .plain, nil),
            (.header("Authorization"), .claim("sub"), "ada"), (.header("Authorization"), .claim("n"), "7"),
            (.header("Authorization"), .claim("empty"), nil), (.header("Authorization"), .claim("none"), nil),
            (.header("Authorization"), .issued, token), (.body(["token"]), .claim("sub"), "ada"), (.body(["opaque"]), .claim("sub"), nil),
            (.body(["opaque"]), .issued, "abc"), (.body(["nested", "0", "n"]), .plain, "12"), (.body(["nested"]), .plain, nil),
            (.body(["flag"]), .plain, nil), (.body(["broken"]), .claim("sub"), nil),
            (.header("Authorization"), .basicUser, nil), (.body(["basic"]), .basicUser, "a b"), (.body(["nobody"]), .basicUser, nil),
            (.body(["opaque"]), .basicUser, nil), (.body(["slash"]), .basicUser, "??>"),
        ] as [(Place, ValueSource.Reading, String?)])
    func `A value is taken from where the contract says`(place: Place, reading: ValueSource.Reading, value: String?) throws {
        let request = RequestParts(
            method: .get, rawPath: "/", pathParameters: ["id": "p"], query: [("q", "first"), ("q", "second"), ("blank", "")],
            headers: [.authorization: "Bearer \(Self.token)"])
        let body: JSON = [
            "token": .string(Self.token), "opaque": "abc", "nested": [["n": 12]], "flag": true, "broken": "a.b!.c",
            // a%20b:c, :x and ??>:y, the last with '/' or '+' in its base64.
            "basic": "Basic YSUyMGI6Yw==", "nobody": "Basic Ong=", "slash": "basic  Pz8+Onk=",
        ]
        #expect(ValueSource(location: place.location, reading: reading).value(in: request, body: body) == value)
        #expect(ValueSource(location: .body(.root)).value(in: request, body: nil) == nil)
    }

    enum Place: Sendable {
        case path(String), query(String), header(String), body([String])

        var location: RequestPlace {
            switch self {
            case .path(let name): .path(name)
            case .query(let name): .query(name)
            case .header(let name): .header(name)
            case .body(let tokens): .body(JSONPointer(tokens: tokens))
            }
        }
    }
}
