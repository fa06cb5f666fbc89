import HTTPTypes
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringTokens
import Testing

@testable import SparringAdmin

/// A recorded request as it is sent again.
@Suite struct ReplayedCallTests {
    private static func call(
        _ url: String, _ headers: JSON = [], _ body: String? = nil, type: String = "application/json", answer: JSON = [:]
    ) throws -> Archive.Call {
        let archive: JSON = [
            "log": [
                "entries": [
                    [
                        "startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
                        "request": .members([
                            "method": body == nil ? "GET" : "POST", "url": .string(url), "headers": headers,
                            "postData": body.map { ["mimeType": .string(type), "text": .string($0)] },
                        ]), "response": answer,
                    ]
                ]
            ]
        ]
        return try #require(try Archive(archive).calls.first)
    }

    private static var known: Correspondence {
        var known = Correspondence()
        for (value, other) in [
            ("«code:1»", "q/7"), ("«password:1»", "geheim"), ("1b4e28ba1", "6fa459ea1"), ("eyJh.eyJi.«jwt:1»", "eyJh.eyJi.c2ln"),
        ] {
            known.note(value, other)
        }
        return known
    }

    @Test func `ids and credentials of the replay stand in all parts of a request`() throws {
        let basic = Base64.encode(Array("shop:«password:1»".utf8))
        let call = try Self.call(
            "https://va.vendor.example/a/1b4e28ba1/b%20c?code=%C2%ABcode:1%C2%BB&x=1",
            [
                ["name": "Authorization", "value": .string("Basic \(basic)")], ["name": "X-Token", "value": "Bearer eyJh.eyJi.«jwt:1»"],
                ["name": "Content-Length", "value": "999"], ["name": "Host", "value": "elsewhere.example"],
            ], #"{"code":"«code:1»","id":"1b4e28ba1"}"#)
        let request = ReplayedCall(Self.known).request(call)
        #expect(request.head.target == "/a/6fa459ea1/b%20c?code=q%2F7&x=1")
        #expect(request.head.headers[.authorization] == "Basic " + Base64.encode(Array("shop:geheim".utf8)))
        #expect(request.head.headers[HTTPField.Name("X-Token")!] == "Bearer eyJh.eyJi.c2ln")
        #expect(request.head.authority == "va.vendor.example" && request.head.isTLS)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"code":"q/7","id":"6fa459ea1"}"#)
        #expect(request.head.headers[.contentLength] == String(request.body.count))
    }

    @Test func `what nothing stands for is sent as it was written`() throws {
        let call = try Self.call(
            "http://a.example/x%2fy?b=%41&c", [], "a=1%2B2&code=%C2%ABcode:1%C2%BB", type: "application/x-www-form-urlencoded")
        let request = ReplayedCall(Self.known).request(call)
        #expect(request.head.target == "/x%2fy?b=%41&c")
        let raw = ReplayedCall(Self.known).message(Array(#"{"a" : 1.50}"#.utf8))
        #expect(String(decoding: raw, as: UTF8.self) == #"{"a" : 1.50}"#)
    }

    @Test func `a challenge is made of its verifier`() throws {
        let issued = try Self.call(
            "https://id.example/authorize?code_challenge=%C2%ABtoken:1%C2%BB&code_challenge_method=S256",
            answer: ["status": 302, "headers": [["name": "Location", "value": "https://app.example/?code=%C2%ABcode:9%C2%BB"]]])
        let redeemed = try Self.call("https://id.example/token", [], #"{"code":"«code:9»","code_verifier":"«verifier:1»"}"#)
        var known = Correspondence()
        ProofKeys([issued, redeemed]).note(in: &known)
        let (verifier, challenge) = (known.translate("«verifier:1»"), known.translate("«token:1»"))
        #expect(PKCE.isVerifier(verifier) && PKCE.fits(verifier, challenge, method: .s256))
    }

    @Test func `a credential that no answer hands out is wanted`() throws {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4Iiwic3ViIjoiYWRhIiwiZ2l2ZW5fbmFtZSI6IkFkYSJ9.«jwt:1»"
        let call = try Self.call("https://va.vendor.example/a", [["name": "Authorization", "value": .string("Bearer \(token)")]])
        let credentials = ReplayCredentials([call])
        let wanted = credentials.wanted(call.headers, call.target, call.body.bytes, Correspondence())
        #expect(
            wanted.map(\.form) == [["form": "jwt", "subject": "ada", "claims": ["given_name": "Ada", "iat": .null, "exp": .null]]]
                && wanted.map(\.recorded) == [token])
        var known = Correspondence()
        known.note(token, "x")
        #expect(credentials.wanted(call.headers, call.target, [], known).isEmpty)
        let handed = try Self.call("https://va.vendor.example/b", answer: ["status": 200, "content": ["text": .string(token)]])
        #expect(ReplayCredentials([handed]).wanted(call.headers, call.target, [], Correspondence()).isEmpty)
    }
}
