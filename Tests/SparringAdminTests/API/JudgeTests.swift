import HTTPTypes
import SparringAdmin
import SparringJSON
import SparringTestKit
import SparringVerdict
import Testing

/// Judging without a call, as `sparring run` does on its own server.
@Suite struct JudgeTests {
    private static func server() async throws -> SparringServer {
        let server = try await SparringServer()
        try await server.admin(.post, "sandboxes", ["name": "one", "scenario": "pusher-down-for-31s", "clock": ["mode": "frozen"]])
        return server
    }

    @Test(
        arguments: [
            [:], ["timeBasis": "sandbox"], ["rules": ["backs-off-1-2-4-8-16s"], "policies": ["retries": 3]], ["coverage": true],
            ["platform": "ios", "flow": "code"], ["contract": "off", "clientHasEnded": true],
        ] as [JSON])
    func `it comes to what the call answers`(_ form: JSON) async throws {
        let server = try await Self.server()
        var whole = form
        whole["whole"] = true
        let answer = try await server.admin(.post, "sandboxes/one/verdicts", whole)
        let report = try await server.server.judge("one", whole)
        let json = try JSON(parsing: report.wholeJSON.bytes)
        for member in ["verdicts", "client", "contract", "coverage", "sources", "unobservable", "scenario", "timing", "result"] {
            #expect(json[member] == answer[member], "\(member)")
        }
        await server.stop()
    }

    @Test(
        arguments: [
            ("one", ["rules": ["backs-of"]], "configuration-invalid"), ("one", ["platform": "windows"], "configuration-invalid"),
            ("one", ["policies": ["retrys": 3]], "configuration-invalid"), ("one", ["behaviours": ["livperson"]], "configuration-invalid"),
            ("one", ["settle": "soon"], "request-malformed"), ("one", ["contract": "perhaps"], "request-malformed"),
            ("one", ["policies": [1]], "request-malformed"), ("one", ["timeScale": 0], "request-malformed"),
            ("one", ["settled": "1s"], "request-malformed"), ("one", [1], "request-malformed"), ("on", [:], "sandbox-unknown"),
        ] as [(String, JSON, String)])
    func `it refuses in the words of the call`(_ sandbox: String, _ form: JSON, _ name: String) async throws {
        let server = try await Self.server()
        let problem = await #expect(throws: SparringProblem.self) {
            try await server.admin(.post, "sandboxes/\(sandbox)/verdicts", form)
        }
        let refusal = await #expect(throws: AdminRefusal.self) { _ = try await server.server.judge(sandbox, form) }
        let words = refusal?.document.text
        #expect(words == problem?.text)
        #expect(words?.contains("urn:sparring:problem:\(name)\"") == true, "\(words ?? "")")
        await server.stop()
    }
}
