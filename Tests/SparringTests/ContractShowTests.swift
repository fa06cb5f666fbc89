import Foundation
import Support
import Testing

@testable import sparring

/// `sparring contract show`: what an operation rests on can be opened.
@Suite(.fewAtATime) struct ContractShowTests {
    @Test(
        arguments: [
            ("cxone.fetchLargeEvent", "cxone", ["### 3.7 ", "## 11. "]), ("khoros.logIn", "khoros", ["### 1.3 ", "### 1.4 "]),
            ("talkdesk.issueToken", "talkdesk", ["### 3.4 "]),
        ])
    func `each citation is shown with the file and line of its section`(_ operation: String, _ vendor: String, _ headings: [String])
        async throws
    {
        let shown = try await sparring(["contract", "show", operation], environment: [:])
        #expect(shown.status == 0, "\(shown)")
        let page = "/reference/\(vendor).md:"
        let places = shown.output.split(separator: "\n").filter { $0.contains(page) }
        #expect(places.count >= headings.count, "\(shown.output)")
        for (place, heading) in zip(places, headings) {
            let parts = place.split(separator: ":", maxSplits: 2).map(String.init)
            let lines = try String(contentsOfFile: parts[0], encoding: .utf8).components(separatedBy: "\n")
            let number = try #require(Int(parts[1]))
            #expect(lines[number - 1].hasPrefix(heading), "\(place)")
        }
    }

    @Test(
        arguments: [
            ("CXone reference 3.7 and 11; the SDKs were run.", ["CXone 3.7", "CXone 11"]),
            ("Event diagrams, Open Chat; CXone reference C18", ["CXone C18"]),
            ("LivePerson reference 5.7 to 5.9, 5.13", ["LivePerson 5.7", "LivePerson 5.9", "LivePerson 5.13"]),
            ("ASAPP reference 2.2 (blocks) and ASP-06", ["ASAPP 2.2"]), ("RFC 6749 §4.1", []), ("the reference says so", []),
        ])
    func `citations are found in a source's words`(_ source: String, _ citations: [String]) {
        #expect(Citation.all(in: source).map { "\($0.vendor) \($0.place)" } == citations)
    }

    @Test(
        arguments: [
            (
                "cxone.sendMessage",
                [
                    "body /action: required", "body /payload/data/messageContent/payload: required",
                    "body /payload/data/messageContent/payload/text: required in some forms of its object",
                    "body /payload/data/attachments/*/url: required where its object is sent",
                ]
            ), ("asapp.readStatus", []),
        ] as [(String, [String])])
    func `the members that a body must have are named`(_ operation: String, _ required: [String]) async throws {
        let shown = try await sparring(["contract", "show", operation], environment: [:])
        let lines = shown.output.split(separator: "\n").map(String.init)
        #expect(required.allSatisfy { lines.contains($0) }, "\(shown.output)")
        let named = lines.filter { $0.hasPrefix("body ") }
        #expect(Set(named).count == named.count && named.isEmpty == required.isEmpty, "\(shown.output)")
        #expect(!named.contains { $0.contains("fallbackText") }, "it is optional")
    }

    @Test func `what leads nowhere has no line`() {
        let folder = Repository.folder("contracts")
        #expect(Citation(vendor: "CXone", place: "99.9").line(in: folder) == nil)
        #expect(Citation(vendor: "Nobody", place: "1").line(in: folder) == nil)
        #expect(Citation(vendor: "CXone", place: "C18").line(in: folder)?.hasSuffix(": C18") == true)
    }
}
