import SparringJSON
import Testing

/// Members of what is known to be JSON, found without reading the rest.
@Suite struct JSONScannerTests {
    private static let text = #"""
        { "a" : 1, "text":"plain", "escaped":"say \"hi\" \\ \u00e9", "object": {"a": "inner", "brace": "}", "list": [1, {"x": "]"}]},
          "list": ["}", {"a": 2}], "negative":-17, "null": null, "yes":true, "half":1.5, "empty":{}, "last":"é"}
        """#
    private let scanner = JSONScanner(Array(text.utf8))

    @Test func `it finds what a parser finds`() throws {
        let json = try JSON(parsing: Self.text)
        #expect(scanner.json == json)
        #expect(scanner.json("a") == json["a"] && scanner.json("list") == json["list"] && scanner.json("object") == json["object"])
        #expect(scanner.json("null") == .null && scanner.json("yes") == true && scanner.json("half") == 1.5)
        #expect(scanner.string("text") == "plain" && scanner.string("escaped") == "say \"hi\" \\ é" && scanner.string("last") == "é")
        #expect(scanner.integer("a") == 1 && scanner.integer("negative") == -17)
        #expect(scanner.object("object")?.string("a") == "inner" && scanner.object("object")?.string("brace") == "}")
        #expect(scanner.object("object")?.json("list") == [1, ["x": "]"]])
        #expect(scanner.object("empty")?.has("a") == false)
    }

    @Test func `what is not there, or is something else, is nothing`() {
        #expect(!scanner.has("x") && !scanner.has("inner") && !scanner.has("brace") && !scanner.has(""))
        #expect(
            scanner.string("a") == nil && scanner.integer("text") == nil && scanner.object("list") == nil && scanner.integer("half") == nil)
    }

    @Test(
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("18446744073709551616", nil), ("99999999999999999999999", nil), ("-", nil), ("-0", 0), ("--1", nil), ("1e3", nil),
        ] as [(String, Int64?)])
    func `a number beyond 64 bits is none, and not another`(_ text: String, _ number: Int64?) {
        #expect(JSONScanner(Array("{\"a\":\(text)}".utf8)).integer("a") == number)
    }

    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
        ("18446744073709551617", nil), ("-0", 0), ("-", nil), ("1e3", nil),
    ])
    func `a number that does not fit is none`(_ text: String, _ number: Int64?) {
        #expect(JSONScanner(Array("{\"a\":\(text)}".utf8)).integer("a") == number)
    }

    @Test(arguments: [
        "", "{", "[]", "\"a\"", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"x", "{\"a\":{\"b\"", "{\"a\\", "}{", "{,,,", "{\"\":1",
    ])
    func `what is cut anywhere is no crash`(_ text: String) {
        let scanner = JSONScanner(Array(text.utf8))
        _ = (scanner.string("a"), scanner.integer("a"), scanner.object("a")?.string("b"), scanner.json("a"), scanner.json)
    }

    @Test func `every beginning of a text is no crash`() {
        let bytes = Array(Self.text.utf8)
        for count in bytes.indices {
            let scanner = JSONScanner(Array(bytes[..<count]))
            _ = (scanner.string("escaped"), scanner.object("object")?.json("list"), scanner.integer("negative"))
        }
    }

    /// Each of these may stand at any place within eight bytes.
    @Test func `it reads as a parser does, whatever comes where`() throws {
        var source = SystemRandomNumberGenerator()
        let pieces = ["\"", "\\", "{", "}", "[", "]", ",", ":", "Y", "_", "y", "\u{7F}", "é", "🥊", " ", "a", "2", "!", "#", "\n"]
        func text() -> String { (0..<Int.random(in: 0...20, using: &source)).map { _ in pieces.randomElement(using: &source)! }.joined() }
        func value(_ depth: Int) -> JSON {
            switch Int.random(in: 0...(depth > 2 ? 2 : 4), using: &source) {
            case 0: .string(text())
            case 1: .integer(Int64.random(in: -1000...1000, using: &source))
            case 2: .bool(Bool.random(using: &source))
            case 3: .array((0..<Int.random(in: 0...3, using: &source)).map { _ in value(depth + 1) })
            default: .object(["x": value(depth + 1), "zz": value(depth + 1)])
            }
        }
        for _ in 0..<2000 {
            let json = JSON.object(["a": value(0), "b": value(0), "object": ["inner": value(0), "last": value(0)]])
            let scanner = JSONScanner(json.bytes)
            #expect(scanner.json("a") == json["a"] && scanner.json("b") == json["b"], "\(json.text)")
            let inner = try #require(scanner.object("object"))
            #expect(inner.json("inner") == json["object"]?["inner"] && inner.json("last") == json["object"]?["last"], "\(json.text)")
        }
    }
}
