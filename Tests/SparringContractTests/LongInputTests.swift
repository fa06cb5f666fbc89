import SparringJSON
import Testing

@testable import SparringContract

/// Long messages with many errors: the report stays short, and its cost is bounded.
struct LongInputTests {
    private func schema(_ yaml: String) throws -> Schema {
        let text = Sample.replacing("{ type: integer, minimum: 1 }", with: yaml)
        return try #require(try Sample.contract(text).operation("logIn")?.parameters.first { $0.name == "count" }?.schema)
    }

    private static let long = String(repeating: "a", count: 1 << 20)

    @Test func `of ten thousand errors the first hundred are reported`() throws {
        let schema = try schema("{ properties: { a0: true }, additionalProperties: false }")
        let members = (0..<10_000).map { ("a\($0)x", JSON.integer(1)) }
        let violations = schema.violations(in: .object(JSON.Object(uniqueKeysWithValues: members)))
        #expect(violations.count == 100)
        #expect(violations.first?.message == "unknown member 'a0x' (did you mean 'a0'?)")
        #expect(!schema.accepts(.object(JSON.Object(uniqueKeysWithValues: members))))
    }

    @Test(
        arguments: [
            ("{ enum: [b] }", .string(long)), ("{ const: b }", .string(long)), ("{ maxLength: 3 }", .string(long)),
            ("{ format: uuid }", .string(long)),
            ("{ pattern: '^b$' }", .string(long)), ("{ properties: {}, additionalProperties: false }", .object([long: 1])),
            ("{ additionalProperties: { type: string } }", .object([long: 1])), ("{ anyOf: [{ const: b }] }", .string(long)),
            ("{ const: b }", .array(Array(repeating: 1, count: 1 << 19))),
        ] as [(String, JSON)])
    func `no violation repeats a megabyte`(_ yaml: String, _ value: JSON) throws {
        let violations = try schema(yaml).violations(in: value)
        #expect(violations.count == 1)
        #expect(violations.allSatisfy { $0.message.utf8.count < 300 && $0.pointer.description.utf8.count < 300 })
    }

    @Test func `of a text that is too long nothing else is looked at`() throws {
        let violations = try schema("{ maxLength: 3, pattern: '^b', format: uuid }").violations(in: .string(Self.long))
        #expect(violations.map(\.message) == ["\(Self.long.quoted) is longer than 3 characters"])
    }

    @Test func `a message of a type of a megabyte is like no other, without a table of as many cells`() throws {
        let channel = try SampleMessages.channel(ChannelMatchTests.messages)
        guard case .unknown(let nearest) = channel.match(["type": .string(Self.long)]) else {
            Issue.record("found")
            return
        }
        #expect(nearest.isEmpty)
    }

    @Test func `a token that no head could carry is not taken apart`() {
        let payload = "eyJzdWIiOiJhZGEifQ"  // {"sub":"ada"}
        #expect(JSONWebSignature.unverifiedPayload(of: "e30.\(payload).x")?["sub"] == "ada")
        #expect(JSONWebSignature.unverifiedPayload(of: "e30.\(payload).\(Self.long)") == nil)
    }
}
