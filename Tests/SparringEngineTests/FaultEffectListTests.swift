import BirdSupport
import Foundation
import SparringContract
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The statements in an effect's file hold for its list, its page and its schema.
@Suite struct FaultEffectListTests {
    private static let contracts = ((try? Aviary.cast.get().contracts) ?? []).filter { $0.vendor != "admin" }
    private static let reader = FaultReader(contracts)
    static let words = FaultEffect.all.map(\.word)

    /// The effects of a fault on a call of Ada's: what strikes it, on the wire and in words.
    private static func strike(_ text: String, ordinal: Int = 1, opensSocket: Bool = false) throws -> Disturbance {
        let fault = try reader.read(text: text)
        let strike = FaultTable.Strike(number: 3, fault: fault, seed: 42, lane: "ada", ordinal: ordinal)
        return Disturbance(([strike], []), opensSocket: opensSocket)
    }

    @Test(arguments: words)
    func `an effect can be armed with the parameters that the list shows, and its text is read again as the same`(_ word: String) throws {
        let effect = try #require(FaultEffect.of(word))
        let excluded = Set(effect.parameters.compactMap(\.excludes))
        let all = effect.parameters.filter { !excluded.contains($0.name) }.map(\.usage).joined(separator: " ")
        for usages in effect.choices.isEmpty ? [all] : effect.usages {
            let fault = try Self.reader.read(text: "* \(word) \(usages)")
            #expect(try Self.reader.read(text: fault.text).text == fault.text)
            // None of the values shown is one that the text form leaves out.
            let written = usages.split(separator: " ").count { $0.contains("=") && !$0.hasPrefix("Path=") }
            #expect(fault.parameters.count == written, "\(fault.text)")
        }
    }

    @Test(arguments: words) func `every effect does something to what it strikes, and the journal has words for it`(_ word: String) throws {
        let effect = try #require(FaultEffect.of(word))
        let required = effect.choices.isEmpty ? effect.parameters.filter(\.isRequired).map(\.usage) : [effect.usages[0]]
        for phase in effect.phases(at: Self.reader.points) {
            let text = (["* \(word)"] + required + ["phase=\(phase)"]).joined(separator: " ")
            let disturbance = try Self.strike(text)
            let isRefusal = disturbance.replacement != nil  // the answer itself says what happened
            #expect(isRefusal || (disturbance.words ?? disturbance.sendingWords)?.isEmpty == false, "\(text)")
            #expect(disturbance.numbers == [3] && disturbance.effects == [word])
        }
    }

    @Test(arguments: words) func `the page on faults has each effect in a table, with its parameters`(_ word: String) throws {
        let page = try String(contentsOfFile: Repository.folder("Sources/sparring/Documentation.docc/Faults.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined(separator: "\n")
        #expect(rows.contains("`\(word)`") || rows.contains("`\(word) "), "Faults.md has no row for '\(word)'")
        for parameter in try #require(FaultEffect.of(word)).parameters {
            let name = parameter.isPrefix ? parameter.name : parameter.name + "="
            #expect(rows.contains(name), "Faults.md has no '\(name)' of '\(word)'")
        }
    }

    @Test(
        arguments: [
            ("*.say drop", [], false), ("*.say duplicate", ["ab", "ab"], false), ("*.say reorder", ["ab"], true),
            ("*.say truncate", ["a"], false), ("*.say truncate bytes=0", [""], false), ("*.say truncate bytes=9", ["ab"], false),
        ] as [(String, [String], Bool)])
    func `a message is sent as its fault wants`(_ text: String, _ sent: [String], _ isLate: Bool) throws {
        var copies = MessageChange.Copies(texts: [Array("ab".utf8)])
        for change in try Self.strike(text).messageChanges { change.make(&copies) }
        #expect(copies.texts.map { String(decoding: $0, as: UTF8.self) } == sent && copies.isLate == isLate)
    }

    @Test func `however many faults double a message, it is sent 64 times at most, and a corrupt byte is in each copy`() throws {
        var copies = MessageChange.Copies(texts: [Array("ab".utf8)])
        for _ in 0..<9 { for change in try Self.strike("*.say duplicate").messageChanges { change.make(&copies) } }
        #expect(copies.texts.count == 64)
        for change in try Self.strike("*.say corrupt").messageChanges { change.make(&copies) }
        #expect(copies.texts.allSatisfy { $0.count == 2 && $0.contains(0xFF) } && Set(copies.texts).count == 1)
        copies.texts = [[]]
        for change in try Self.strike("*.say corrupt").messageChanges { change.make(&copies) }
        #expect(copies.texts == [[]])
    }

    @Test func `the schema has a member for each parameter, narrowed where effects differ`() throws {
        var schema: JSON = ["$defs": ["faultText": [:], "effect": [:], "faultParts": ["properties": ["where": true, "stale": true]]]]
        FaultSchema(Self.contracts).complete(&schema)
        let parts = try #require(schema["$defs"]?["faultParts"])
        let names = Set(FaultEffect.all.flatMap(\.parameters).filter { !$0.isPrefix }.map(\.name))
        let properties = try #require(parts["properties"]?.object)
        #expect(names.isSubset(of: properties.keys) && properties["where"] == true && properties["stale"] == nil)
        #expect(properties["seal"]?["type"] == "string", "a parameter that a contract declares")
        #expect(properties["code"]?["minimum"] == nil && properties["rate"]?["maximum"] == 1_099_511_627_776)
        let close = (parts["allOf"]?.array ?? []).first { $0["if"]?["properties"]?["effect"]?["const"] == "close" }
        #expect(close?["then"]?["properties"]?["code"]?["minimum"] == 1000 && close?["then"]?["required"] == nil)
        #expect(parts["dependentSchemas"]?["reason"]?["required"] == ["code"])
        #expect(parts["dependentSchemas"]?["after-frames"]?["properties"]?["after"] == false)
        #expect(parts["dependentSchemas"]?["code"]?["properties"]?["effect"]?["enum"] == ["status", "close"])
        #expect(schema["$defs"]?["effect"]?["anyOf"]?.array?.first?["enum"]?.array?.count == FaultEffect.all.count)
    }

    @Test func `a schema without faults stays as it is`() {
        for before in [["title": "x"], ["$defs": ["sandbox": ["type": "object"]]]] as [JSON] {
            var schema = before
            FaultSchema(Self.contracts).complete(&schema)
            #expect(schema == before)
        }
    }
}
