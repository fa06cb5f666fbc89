import Foundation
import SparringJSON
import Support
import Testing

/// `sparring run` judges a command that has ended, and an HTTP library that repeats requests by itself: curl does (RFC 9112 §9.3.1).
@Suite(.fewAtATime) struct RunJudgementTests {
    private static let unread = "$SPARRING_URL/mock/pusher/account/$SPARRING_LIVEPERSON_ACCOUNT_ID/unread"
    private static let lookup = "$SPARRING_URL/api/account/$SPARRING_LIVEPERSON_ACCOUNT_ID/service/idp/baseURI.json?version=1.0"

    private func run(_ options: [String], _ command: String) async throws -> (end: Command.End, sandbox: JSON) {
        let folder = try TemporaryFolder()
        let file = folder.file("a.json")
        let end = try await sparring(["run", "--json-report", file] + options + ["--", "bash", "-c", command], environment: [:])
        let report = try JSON(parsing: String(contentsOfFile: file, encoding: .utf8))
        return (end, report["plays"]?.array?.first?["sandboxes"]?.array?.first ?? .null)
    }

    @Test(arguments: ["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER"])
    func `what curl sends again on a new connection is one call`(_ effect: String) async throws {
        let (end, sandbox) = try await run(
            ["--fault", "liveperson.readUnread \(effect) times=1"], "curl -s '\(Self.lookup)' '\(Self.unread)'".replacing("'", with: "\""))
        let resent = sandbox["resent"]?.array?.compactMap(\.string) ?? []
        #expect(resent.count == 1 && resent[0].contains("GET /mock/pusher/account/"), "\(end)")
        #expect(sandbox["calls"] == 3)
        let retries = sandbox["verdicts"]?.array?.first { $0["rule"] == "backs-off-1-2-4-8-16s" }
        #expect(retries?["result"] == "not-exercised", "\(retries?.text ?? "")")
    }

    @Test func `what it does not send again is a failure`() async throws {
        let (end, sandbox) = try await run(
            ["--fault", "liveperson.readUnread EMPTY_RESPONSE times=1"], "curl -s \"\(Self.unread)\"; curl -s \"\(Self.unread)\"; true")
        #expect(sandbox["resent"] == nil, "the first request of a connection is not sent again: \(end)")
    }

    @Test func `a broken rule that is in the baseline is advice, and is not stale`() async throws {
        let folder = try TemporaryFolder()
        let known = folder.file("known.json")
        let client = "curl -s \"\(Self.unread)\"; curl -s \"\(Self.unread)\"; true"
        let options = ["--fault", "liveperson.readUnread EMPTY_RESPONSE times=1", "--contract", "off"]
        let (first, _) = try await run(options + ["--write-known", known], client)
        #expect(first.status == 1, "\(first)")
        let rules = try JSON(parsing: String(contentsOfFile: known, encoding: .utf8))["findings"]?.array?.compactMap { $0["place"]?.string }
        #expect(rules == ["liveperson.backs-off-1-2-4-8-16s"])
        let (next, sandbox) = try await run(options + ["--known", known], client)
        #expect(next.status == 0 && !next.output.contains("no longer seen"), "\(next)")
        let verdict = sandbox["verdicts"]?.array?.first { $0["rule"] == "backs-off-1-2-4-8-16s" }
        #expect(verdict?["result"] == "advice" && verdict?["known"] == true, "\(verdict?.text ?? "")")
        #expect(verdict?["summary"]?.string?.hasPrefix("known, and fails nothing: ") == true)
    }

    @Test(
        arguments: [([], "undecided", 2), (["--settle", "20s"], "undecided", 2), (["--settle", "5m"], "pass", 0)]
            as [([String], String, Int32)])
    func `a story of milliseconds is judged whole, without waiting`(_ settle: [String], _ result: String, _ status: Int32) async throws {
        let (end, sandbox) = try await run(["--rule", "gives-up-what-is-refused"] + settle, "curl -s \"\(Self.unread)\"; true")
        #expect(sandbox["verdicts"]?.array?.first?["result"] == .string(result), "\(end)")
        #expect(end.status == status, "\(end)")
        let watched = sandbox["watched"]?.double ?? 0
        #expect(settle.isEmpty ? watched < 20 : watched >= 20, "\(watched) s watched")
    }
}
