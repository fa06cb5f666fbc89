import SparringJSON
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        #"{"a":1,"b":[true,false,null],"c":{"d":"e"}}"#, "[]", "{}", #""""#, "0", "-1", "9223372036854775807", "1.5", #""\n\t\"\\""#,
        #""é😀""#, "[[[]]]",
    ])
    func `what is written is what was read`(text: String) throws {
        #expect(try JSON(parsing: text).text == text)
    }

    @Test(arguments: [
        (#""\u00e9\uD83D\uDE00\/""#, JSON.string("é😀/")), (" 1e3 ", .number(1000)), ("1.0", .integer(1)),
        ("18446744073709551616", .number(18446744073709551616)),
    ])
    func `what may be written in several ways is read alike`(text: String, value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
    }

    @Test(arguments: [
        ("", "empty text", 1, 1), ("{", "expected a name in double quotes", 1, 2), ("[1,]", "unexpected ']'", 1, 4),
        ("{\"a\":1,}", "a name in double quotes", 1, 8),
        ("[1 2]", "',' or ']'", 1, 4), ("01", "leading zero", 1, 1), ("-", "a digit", 1, 2), ("1.", "a digit", 1, 3),
        ("1e", "a digit", 1, 3),
        ("\"a", "string without end", 1, 1), ("\"\u{1}\"", "control character byte 0x1", 1, 2), (#""\x""#, "unknown escape 'x'", 1, 3),
        (#""\uD800""#, "lone surrogate", 1, 2), (#""\u12""#, "four hexadecimal digits", 1, 6), ("tru", "only true, false and null", 1, 1),
        ("{\"a\":1,\n \"a\":2}", "member 'a' is named twice", 2, 2),
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "is named twice", 1, 9), ("1 1", "text after the value", 1, 3),
        ("nan", "only true, false and null", 1, 1),
        ("1e999", "out of range", 1, 1), ("{\"a\" 1}", "':' should follow", 1, 6), ("'a'", "unexpected '''", 1, 1),
    ])
    func `what is not JSON is refused with its place`(text: String, reason: String, line: Int, column: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error.reason.contains(reason))
        #expect((error.line, error.column) == (line, column))
    }

    @Test func `bytes that are no UTF-8 are refused`() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSON(parsing: [0x22, 0xC3, 0x28, 0x22]) }
        #expect(error.reason == "invalid UTF-8 in a string")
    }

    @Test func `nesting has a limit and no crash beyond it`() throws {
        let deep = String(repeating: "[", count: 100_000)
        let error = try #require(throws: JSONSyntaxError.self) { try JSON(parsing: deep) }
        #expect(error.reason == "nested deeper than 256")
        let allowed = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
        #expect(throws: Never.self) { try JSON(parsing: allowed) }
    }

    @Test func `objects are equal whatever their order but keep it`() throws {
        let a: JSON = ["x": 1, "y": 2]
        let b: JSON = ["y": 2.0, "x": 1]
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
        #expect(a.text == #"{"x":1,"y":2}"#)
        #expect(a != ["x": 1])
        #expect(JSON.string("é") != .string("e\u{301}"))
    }

    @Test(arguments: [
        ("", "whole"), ("/a", "[0,1]"), ("/a/1", "1"), ("/m~0n", "tilde"), ("/a~1b", "slash"), ("/", "empty"), ("/a/01", nil),
        ("/a/2", nil), ("/nothing", nil),
    ])
    func `a pointer finds its value`(pointer: String, expected: String?) throws {
        let document: JSON = ["a": [0, 1], "m~n": "tilde", "a/b": "slash", "": "empty"]
        let parsed = try #require(JSONPointer(pointer))
        #expect(parsed.description == pointer)
        let found = document[parsed]
        switch expected {
        case "whole": #expect(found == document)
        case let expected?: #expect(found?.string ?? found?.text == expected)
        case nil: #expect(found == nil)
        }
    }

    /// In the pointer of the second one, the slash and the character after it are one character to Swift.
    @Test(arguments: ["", "\u{301}d", "é/~", "~1", "/\u{301}", "\u{200D}"]) func `any name has a pointer that leads back to it`(
        _ name: String
    ) {
        let pointer = JSONPointer(tokens: ["a", name])
        #expect(JSONPointer(pointer.description)?.tokens == pointer.tokens)
    }

    @Test(arguments: ["a", "~", "/~", "/~2"]) func `a bad pointer is refused`(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test func `a writer writes what a value writes`() throws {
        var used = ByteBuffer()
        used.append("what was there")
        var out = JSONWriter(used)
        out.member("a", "x\"y")
        out.member("none", String?.none)
        out.object("b") { out in
            out.member("c", 1)
            out.field("d\n", "é")
        }
        out.member("e", JSON.array([1, .null]))
        let bytes = out.finish()
        let expected: JSON = ["a": "x\"y", "b": ["c": 1, "d\n": "é"], "e": [1, .null]]
        #expect(bytes.array == expected.bytes)
    }
}
