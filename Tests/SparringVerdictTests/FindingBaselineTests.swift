import SparringContract
import SparringJSON
import SparringJournal
import Testing

@testable import SparringVerdict

@Suite struct FindingBaselineTests {
    private static func fingerprint(_ code: Violation.Kind, _ place: String, _ operation: String) -> String {
        Finding(code.rawValue, at: place, "").fingerprint(in: operation)
    }

    private static func entry(_ code: Violation.Kind, _ place: String, _ operation: String) -> JSON {
        [
            "fingerprint": .string(fingerprint(code, place, operation)), "operation": .string(operation), "place": .string(place),
            "code": .string(code.rawValue),
        ]
    }

    private static let older: JSON = [
        "findings": [
            entry(.missing, "body:/grant_type", "v.token"), entry(.missing, "body:/code", "v.token"),
            entry(.missing, "query:v", "v.report"),
        ]
    ]

    @Test func `an older file covers the new finding for a body that is no form, which is not listed as resolved`() throws {
        let baseline = try FindingBaseline(json: Self.older)
        #expect(baseline.has(Self.fingerprint(.missing, "body:/code", "v.token")))
        #expect(baseline.has(Self.fingerprint(.syntax, "body", "v.token")))
        #expect(!baseline.has(Self.fingerprint(.syntax, "body", "v.report")))
        // As it goes to a server.
        let sent = try FindingBaseline(findings: try #require(baseline.json["findings"]), at: .root)
        #expect(sent.has(Self.fingerprint(.syntax, "body", "v.token")))
        #expect(ContractFindings(known: sent).resolved.count == 3)
    }

    @Test func `what is written has its version, and says no more than it says`() throws {
        var written = try JSON(parsing: try FindingBaseline(json: Self.older).text)
        #expect(written["version"] == 2)
        written["findings"] = Self.older["findings"]
        let baseline = try FindingBaseline(json: written)
        #expect(baseline.all.count == 3 && !baseline.has(Self.fingerprint(.syntax, "body", "v.token")))
    }

    @Test(
        arguments: [
            (#"{"version":2,"findings":[{"fingerprint":"0","operation":"a","place":"b","code":"c","implied":true}]}"#, []),
            (
                #"{"owner":"web","findings":[{"fingerprint":"0","ticket":"W-7"},{"fingerprint":"1","ticket":"W-8","words":"x"}]}"#,
                ["owner", "ticket (in 2 findings)", "words (in 1 finding)"]
            ), ("[]", []), (#"{"findings":[1]}"#, []),
        ] as [(String, [String])])
    func `what people added to a file is named`(_ text: String, _ additions: [String]) throws {
        #expect(FindingBaseline.additions(in: try JSON(parsing: text)) == additions)
    }

    @Test func `what breaks nothing of the client's is not written`() {
        var findings = ContractFindings(gate: .verified)
        for (number, weight) in ContractFindings.Weight.allCases.enumerated() {
            findings.add(ContractFinding(weight, fingerprint: "\(number)", code: weight.rawValue, operation: "v.a", words: ""))
        }
        #expect(FindingBaseline.of(findings.rows).all.map(\.code) == ["fail", "warn", "not-emulated", "known"])
    }

    @Test(arguments: ["3", "0", "\"2\"", "1.5"])
    func `a version that is not known is refused with its place`(version: String) throws {
        let json = try JSON(parsing: "{\"version\": \(version), \"findings\": []}")
        #expect {
            try FindingBaseline(json: json)
        } throws: { "\($0)".hasPrefix("version: this version of Sparring reads the versions 1 to 2 of such files, not \(version)") }
    }
}
