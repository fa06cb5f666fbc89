import Foundation
import SparringJSON
import Support
import Testing

/// `sparring import`, `sparring replay` and `sparring scan`: what they print, and how they exit.
@Suite struct RecordingCommandTests {
    private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmVkYnlzb21lYm9keQ"

    /// - Parameter answer: the body that the sign-up got.
    private static func archive(answer: JSON = ["jwt": .string(token)]) -> String {
        func entry(_ second: Int, _ method: String, _ url: String, _ answer: JSON) -> JSON {
            [
                "startedDateTime": .string("2026-01-31T12:00:0\(second).000Z"), "time": 3,
                "request": ["method": .string(method), "url": .string(url), "headers": []],
                "response": [
                    "status": 200, "headers": [["name": "Content-Type", "value": "application/json"]],
                    "content": ["text": .string(answer.text)],
                ],
            ]
        }
        let lookup: JSON = ["service": "idp", "account": "12345678", "baseURI": "va.idp.liveperson.net"]
        let json: JSON = [
            "log": [
                "version": "1.2",
                "entries": [
                    entry(1, "GET", "https://api.liveperson.net/api/account/12345678/service/idp/baseURI.json?version=1.0", lookup),
                    entry(2, "POST", "https://va.idp.liveperson.net/api/account/12345678/signup", answer),
                    entry(3, "GET", "https://fonts.example/a.json", [:]),
                ],
            ]
        ]
        return json.text
    }

    private static func sparring(_ words: [String]) async throws -> Command.End { try await Command(Repository.binary, words).run() }

    @Test func `an archive is held against the contracts`() async throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(Self.archive(), to: "good.har")
        let end = try await Self.sparring(["import", good, "--coverage", "--html", folder.file("page.html")])
        #expect(end.status == 0 && end.output.contains("nothing in the recording breaks the contract"), "\(end)")
        #expect(end.output.contains("liveperson  2") && end.output.contains("not a vendor's: fonts.example (1)"), "\(end)")
        #expect(end.output.contains("Coverage of the contracts:"), "\(end)")
        #expect(try String(contentsOfFile: folder.file("page.html"), encoding: .utf8).contains("<!DOCTYPE html>"))
        let bad = try folder.write(Self.archive(answer: ["jwt": 7]), to: "bad.har")
        let broken = try await Self.sparring(["import", bad])
        #expect(broken.status == 1 && broken.output.contains("The recording breaks the contract once"), "\(broken)")
        #expect(broken.output.contains("liveperson.signUp: answer: body.jwt: expected string, found integer"), "\(broken)")
        let warned = try await Self.sparring(["import", bad, "--contract", "warn", "--json"])
        #expect(warned.status == 0, "\(warned)")
        #expect(try JSON(parsing: warned.output)["contract"]?["findings"]?.array?.count == 1)
    }

    @Test func `its calls are printed as entries, without credentials unless they are asked for`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.archive(), to: "a.har")
        let hidden = try await Self.sparring(["import", file, "--json-lines"])
        let lines = try hidden.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(lines.map { $0["operation"]?.string } == ["liveperson.lookUpService", "liveperson.signUp"])
        #expect(hidden.output.contains(".«jwt:1»") && !hidden.output.contains("c2lnbmVk"))
        let sent = try await Self.sparring(["import", file, "--json-lines", "--with-credentials"])
        #expect(sent.output.contains(Self.token))
    }

    @Test func `what cannot be imported is said with a status of its own`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.archive().replacing("liveperson.net", with: "cloud.example"), to: "a.har")
        for (words, status, reason) in [
            (
                [file], 2,
                "no call in \(file) goes to a vendor: it has calls to api.cloud.example (1), fonts.example (1), va.idp.cloud.example (1)"
            ),
            ([file, "--host", "*.cloud.example"], 0, "nothing in the recording"),
            ([file, "--host", "*"], 64, "--host '*' is not a host name"),
            ([folder.file("none.har")], 66, "cannot be read"), ([try folder.write("{", to: "b.har")], 65, "b.har:1:2: not JSON"),
            ([try folder.write("{}", to: "c.har")], 65, "/log/entries: expected a list"),
            ([file, "--host", "*.cloud.example", "--rule", "none-such"], 64, "none-such"),
        ] as [([String], Int32, String)] {
            let end = try await Self.sparring(["import"] + words)
            #expect(end.status == status && (end.errors + end.output).contains(reason), "\(words) \(end)")
        }
    }

    @Test func `a scan says where a credential is left, and not which`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.archive(), to: "a.har")
        let found = try await Self.sparring(["scan", file])
        #expect(found.status == 1 && found.output == "\(file): /log/entries/1/response/content/text: jwt\n", "\(found)")
        let lines = try await Self.sparring(["import", file, "--json-lines"])
        let clean = try folder.write(lines.output, to: "clean.jsonl")
        #expect(try await Self.sparring(["scan", clean]).status == 0)
        #expect(try await Self.sparring(["scan", clean, folder.file("none")]).status == 66)
    }

    @Test func `a recording is replayed`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.archive(), to: "a.har")
        let known = folder.file("known.json")
        let end = try await Self.sparring(["replay", file, "--write-known", known])
        #expect(end.status == 1 && end.output.contains("The replay differs from the recording"), "\(end)")
        #expect(end.output.hasPrefix("2 calls and messages sent again"), "\(end)")
        #expect(end.output.contains("liveperson.signUp: answer body.jwt claims.sub is"), "\(end)")
        let again = try await Self.sparring(["replay", file, "--known", known])
        #expect(again.status == 0 && again.output.contains("the replay is as the recording"), "\(again)")
        let json = try await Self.sparring(["replay", file, "--json"])
        let report = try JSON(parsing: json.output)
        #expect(json.status == 1 && report["noise"]?.object != nil && report["omitted"] == [], "\(json)")
    }

    @Test func `what cannot be replayed is said with a status of its own`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.archive(), to: "a.har")
        func own(_ sandbox: JSON, _ name: String) throws -> String {
            var archive = try JSON(parsing: Self.archive())
            archive["log"]?["_sparring"] = ["sandbox": sandbox]
            return try folder.write(archive.text, to: name)
        }
        let made: JSON = ["id": "default", "seed": 1, "begun": "2026-01-01T00:00:00Z"]
        let bad = try folder.write("sandboxes:\n  - name: default\n    scenario: none-such\n", to: "bad.yaml")
        for (words, status, reason) in [
            ([folder.file("none.har")], 66, "cannot be read"), ([try folder.write("{", to: "b.har")], 65, "b.har:1:2: not JSON"),
            ([file, "--host", "*"], 64, "--host '*' is not a host name"),
            ([try own(["id": "default"], "c.har")], 65, "/log/_sparring/sandbox: expected a sandbox"),
            ([try own(made.merging(["creation": ["given": ["tenants": ["nobody": [:]]]]]), "d.har")], 65, "nobody"),
            ([file, "--config", folder.file("none.yaml")], 66, "cannot be read"), ([file, "--config", bad], 65, "bad.yaml:3"),
            ([try folder.write(Self.archive().replacing("liveperson.net", with: "cloud.example"), to: "e.har")], 2, "no call in"),
            (
                [try folder.write(Self.archive().replacing("/api/account/", with: "/api/none/"), to: "f.har")], 2,
                "can be sent again: none matches an operation"
            ),
        ] as [([String], Int32, String)] {
            let end = try await Self.sparring(["replay"] + words)
            #expect(end.status == status && (end.errors + end.output).contains(reason), "\(words) \(end)")
        }
    }
}
