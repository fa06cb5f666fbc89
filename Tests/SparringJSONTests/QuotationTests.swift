import SparringJSON
import Testing

/// Text from strangers, as messages quote it.
@Suite struct QuotationTests {
    @Test func `a short text is quoted whole, of a long one the beginning`() {
        #expect("ada".quoted == "'ada'" && "".quoted == "''")
        let hundred = String(repeating: "é", count: 100)
        #expect(hundred.quoted == "'\(hundred)'")
        #expect((hundred + "é").quoted == "'\(hundred.dropLast())…'")
        #expect(String(repeating: "a", count: 1 << 20).quoted.unicodeScalars.count == 102)
        #expect("abcdef".dropFirst().abbreviated(to: 3) == "bc…")
    }

    @Test func `a letter with a megabyte of accents is cut too`() {
        let letter = "a" + String(repeating: "\u{301}", count: 1 << 20)
        #expect(letter.count == 1)
        #expect(letter.quoted.unicodeScalars.count == 102)
    }

    @Test func `a value is quoted as text, or as JSON`() {
        #expect(JSON.string("x").quoted == "'x'" && JSON.integer(7).quoted == "7" && ([1, "a"] as JSON).quoted == #"[1,"a"]"#)
        #expect(JSON.array(Array(repeating: 1, count: 1000)).quoted.count == 100)
    }

    @Test func `an error does not repeat a megabyte`() throws {
        let name = String(repeating: "a", count: 1 << 20)
        let error = ConfigurationError(JSONPointer(tokens: [name]), "'\(name)' is nothing")
        #expect(error.description.utf8.count < 2300)
        let twice = try #require(throws: JSONSyntaxError.self) { try JSON(parsing: "{\"\(name)\":1,\"\(name)\":2}") }
        #expect(twice.description.utf8.count < 300)
        let unknown = try #require(throws: ConfigurationError.self) { try Declaration(.object([name: 1]), at: .root, known: ["seed"]) }
        #expect(unknown.description.utf8.count < 500)
    }
}
