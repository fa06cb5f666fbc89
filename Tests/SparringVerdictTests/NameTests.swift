import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

/// The names of rules and of people.
@Suite struct NameTests {
    private static let rules = [
        ReportSample.rule("reconnects", vendor: "parrot"), ReportSample.rule("reconnects", vendor: "magpie"),
        ReportSample.rule("speaks", vendor: "parrot"),
    ]

    @Test(arguments: [
        ("speaks", "parrot.speaks"), ("parrot.speaks", "parrot.speaks"), ("magpie.reconnects", "magpie.reconnects"),
        ("reconnects", "'reconnects' is a rule of several vendors: parrot.reconnects, magpie.reconnects"),
        ("speks", "there is no rule 'speks' (did you mean 'speaks'?)"),
        ("fly", "there is no rule 'fly'; `sparring verify --list` lists them"),
        ("magpie.speaks", "there is no rule 'magpie.speaks' (did you mean 'parrot.speaks'?)"),
    ])
    func `a rule may be named without its vendor where only one has it`(_ name: String, _ expected: String) {
        do throws(RuleNames.Refused) {
            #expect(try RuleNames(Self.rules).rule(name).qualifiedName == expected)
        } catch {
            #expect(error.words == expected)
        }
    }

    @Test func `a report names a rule as shortly as it is clear`() {
        let names = RuleNames(Self.rules)
        #expect(Self.rules.map(names.shortName) == ["parrot.reconnects", "magpie.reconnects", "speaks"])
    }

    @Test(arguments: [
        (Scope.lane, ["ada ", "ada ", "ada ", "bob "]), (.device, ["ada phone-1", "ada phone-2", "ada tablet", "bob "]),
        (.name, ["phone-1 ", "phone-2 ", "tablet ", "bob "]),
    ])
    func `a person's calls belong together, on each device where that is asked for`(_ scope: Scope, _ expected: [String]) throws {
        let people = People([
            .init(name: "phone-1", actor: "ada", since: 0, until: nil), .init(name: "phone-2", actor: "ada", since: 0, until: 9),
        ])
        let events = try [
            #"{"number":1,"kind":"exchange","lane":"phone-1"}"#, #"{"number":9,"kind":"exchange","lane":"phone-2"}"#,
            #"{"number":10,"kind":"mark","lane":"ada","details":{"mark":"badge","device":"tablet"}}"#,
            #"{"number":11,"kind":"exchange","lane":"bob"}"#,
        ].map { text throws -> String in
            var record = try JSON(parsing: Array(text.utf8))
            record["sandboxTime"] = "2026-01-01T00:00:00.000Z"
            record["arrival"] = ["monotonic": 0, "process": 1]
            let event = try #require(Event(JSONScanner(record.bytes), OperationName(""), people, nil))
            let key = scope.key(event)
            return key.contains(" ") ? key : key + " "
        }
        #expect(events == expected)
    }
}
