import Foundation
import SparringJSON
import Testing

@testable import SparringContract

/// Schemas mean what JSON Schema says, by its own test suite.
@Suite(.enabled(if: SchemaSuite.folder != nil, "`make test` fetches the suite"))
struct SchemaSuiteTests {
    @Test(arguments: SchemaSuite.files)
    func `Every test of a supported keyword or format comes out as the suite says`(file: String) throws {
        for group in try SchemaSuite.groups(of: file) {
            let wrong = try SchemaSuite.wrong(in: group, of: file)
            #expect(wrong == [])
        }
    }

    @Test(arguments: SchemaSuite.partly)
    func `A schema with an unsupported keyword is refused on load, and every other is judged as the suite says`(file: String, refused: Int)
        throws
    {
        var refusals: [String] = []
        for group in try SchemaSuite.groups(of: file) {
            do {
                let wrong = try SchemaSuite.wrong(in: group, of: file)
                #expect(wrong == [])
            } catch let error as ContractError {
                refusals.append(error.message)
            }
        }
        #expect(refusals.count == refused)
        for refusal in refusals {
            let isOfKeyword = SchemaKeyword.refused.keys.contains { refusal.hasPrefix("the keyword '\($0)' is not supported") }
            let isOfReference = refusal.hasSuffix("leads out of this file") || refusal.contains("' is not a JSON Pointer")
            #expect(isOfKeyword || isOfReference || refusal.hasPrefix("the dialect '"), "\(refusal)")
        }
    }

    /// So that a newer suite's files are not overlooked.
    @Test func `No required file of the suite is left out but that of formats as annotations`() throws {
        let all = try SchemaSuite.names()
        #expect(Set(SchemaSuite.files + SchemaSuite.partly.map(\.file)).filter { !$0.contains("/") } == Set(all).subtracting(["format"]))
    }
}

struct SchemaKeywordTests {
    @Test func `The page of the contract format lists every keyword and format, and what is refused`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/SparringEngine/Documentation.docc/Contracts.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "**Schemas** are"))
        let end = try #require(text[start.upperBound...].range(of: "\nA `time-span`"))
        let rows = text[start.upperBound..<end.lowerBound].split(separator: "\n").filter { $0.hasPrefix("|") }
        let listed = Set(rows.joined().matches(of: /`([^`]+)`/).map { String($0.1) })
        #expect(listed == Set(SchemaKeyword.known + Array(SchemaKeyword.refused.keys) + SchemaKeyword.formats + ["format"]))
    }
}
