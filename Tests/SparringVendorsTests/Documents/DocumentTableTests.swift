import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// Every statement of LivePerson's document is covered by something that is there.
@Suite struct DocumentTableTests {
    private static let isRecording = ProcessInfo.processInfo.environment["SPARRING_RECORD"] != nil

    private func table() throws -> DocumentTable {
        try DocumentTable("liveperson-sdk-flows", page: "Sources/SparringVendors/Documentation.docc/LivePersonFlows.md")
    }

    @Test func `each statement is covered, cannot be seen, or says what is lacking`() throws {
        let rows = try table().rows
        #expect(rows.map(\.number) == (1...182).map { String($0) })
        for row in rows { #expect(row.isCovered && !row.says.isEmpty && !row.line.isEmpty, "row \(row.number)") }
    }

    @Test func `what covers it is there`() async throws {
        let rules = try await TestServer.run(.pipeline) { try await $0.send(.get, "/__admin/rules").json ?? [:] }
        let ruleNames = Set((rules["rules"]?.array ?? []).compactMap { $0["rule"]?.string })
        let unobservable = Set((rules["unobservable"]?.array ?? []).compactMap { $0["says"]?.string })
        #expect(!ruleNames.isEmpty && !unobservable.isEmpty)
        let scenarios = try Self.stems("fixtures/scenarios", "yaml"), transcripts = try Self.stems("fixtures/transcripts/liveperson", "txt")
        // A line each: `"retries-at-once": "tries again without any wait",`.
        let bad = try String(contentsOfFile: Repository.folder("Tests/peers/habits.py"), encoding: .utf8).split(separator: "\n")
        let habits = Set(bad.compactMap { line in line.firstRange(of: "\": \"").map { String(line[$0.upperBound...].dropLast(2)) } })
        let files = try Self.files("Tests")
        for row in try table().rows {
            for (kind, names) in row.covers {
                for name in names {
                    let isThere =
                        switch kind {
                        case .rules: ruleNames.contains(name)
                        case .scenarios: scenarios.contains(name)
                        case .transcripts: transcripts.contains(name)
                        case .habits: habits.contains(name)
                        case .tests: Self.has(name, files)
                        }
                    #expect(isThere, "row \(row.number): \(kind.rawValue) has no '\(name)'")
                }
            }
            if let says = row.unobservable { #expect(unobservable.contains(says), "row \(row.number): '\(says)'") }
        }
    }

    @Test func `the page is made of it`() throws {
        let table = try table()
        if Self.isRecording { try table.record() }
        #expect(try table.recorded == table.text, "the page LivePersonFlows says otherwise; SPARRING_RECORD=1 records it again")
    }

    private static func stems(_ folder: String, _ ending: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.folder(folder))
        return Set(names.filter { $0.hasSuffix("." + ending) }.map { String($0.dropLast(ending.count + 1)) })
    }

    /// Paths of the Swift files below a folder, by their suites: those of `A.swift` and `A+B.swift` are A's.
    private static func files(_ folder: String) throws -> [String: [String]] {
        let root = Repository.folder(folder)
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        return Dictionary(grouping: paths) { path in String((path as NSString).lastPathComponent.dropLast(6).prefix { $0 != "+" }) }
            .mapValues { $0.map { root + "/" + $0 } }
    }

    /// `File: words` that stand in it.
    private static func has(_ name: String, _ files: [String: [String]]) -> Bool {
        guard let colon = name.range(of: ": "), let paths = files[String(name[..<colon.lowerBound])] else { return false }
        return paths.contains { (try? String(contentsOfFile: $0, encoding: .utf8))?.contains(name[colon.upperBound...]) ?? false }
    }
}
