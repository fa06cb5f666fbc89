import SparringVerdict
import Testing

/// A request that the client's HTTP library sent again by itself (RFC 9112 §9.3.1) is one call with the first; what a client's own code does again is not.
@Suite struct ResendTests {
    private static let retry = "retry: { of: liveperson.readUnread, schedule: [1s, 2s] }"
    private static let once = "noReuse: { of: liveperson.authenticateV2, credential: body:/code }"

    private static func first(_ options: String = "", effect: String = "EMPTY_RESPONSE") -> String {
        "1 call readUnread ada lost method=GET connection=1 effect=\(effect) \(options)\n"
    }

    private static func again(_ time: Double, _ options: String = "connection=2 opening=0.005", _ answer: String = "200 unread-count")
        -> String
    {
        "\(time) call readUnread ada \(answer) method=GET \(options)\n"
    }

    private static let early = "attempt 2 of liveperson.readUnread (ada) came"

    static let cases: [RuleTests.Case] = [
        .init(
            "sent again at once on a new connection", retry, first() + again(1.02), .notExercised,
            "the client's HTTP library sent entry 1 again by itself, so that the app never met the failure"),
        .init(
            "reset", retry, first(effect: "CONNECTION_RESET_BY_PEER") + again(1.02), .notExercised,
            "the client's HTTP library sent entry 1 again by itself, so that the app never met the failure"),
        .init(
            "after a long handshake of TLS", retry, first() + again(1.4, "connection=2 opening=0.39 tls=TLSv1.3"), .notExercised,
            "the client's HTTP library sent entry 1 again by itself, so that the app never met the failure"),
        .init(
            "after a wait, on a connection that was opened meanwhile", retry, first() + again(1.1, "connection=2 opening=0.05"), .fail,
            early),
        .init(
            "then it is lost too, and retried when it is due", retry,
            first() + again(1.02, "connection=2 opening=0.01", "lost") + again(2.02, "connection=3 opening=0.01"), .pass, "done once"),
        .init(
            "then it is lost too, and retried at once", retry,
            first() + again(1.02, "connection=2 opening=0.01", "lost") + again(1.04, "connection=3 opening=0.01"), .fail, early),
        .init(
            "on a busy machine", retry, first() + again(1.07, "connection=2 opening=0.005 delayed=0.5"), .notExercised,
            "the client's HTTP library sent entry 1 again by itself, so that the app never met the failure"),
        .init(
            "much later on a busy machine, as the client's own code would", retry,
            first() + again(1.4, "connection=2 opening=0.005 delayed=0.5"), .fail, early),
        .init("on the first request of a connection", retry, first("opening=0.01") + again(1.02), .fail, early),
        .init("on a connection that was open already", retry, first() + again(1.02, "connection=2"), .fail, early),
        .init("on the same connection", retry, first() + again(1.02, "connection=1 opening=0.01"), .fail, early),
        .init("a little later", retry, first() + again(1.2), .fail, early),
        .init("with other bytes", retry, first() + again(1.02, "connection=2 opening=0.005 query=again"), .fail, early),
        .init("after an answer that was cut", retry, first(effect: "STALL") + again(1.02), .fail, early),
        .init(
            "a code in a POST, which is one call all the same", once,
            "1 call authenticateV2 ada lost connection=1 effect=EMPTY_RESPONSE body={\"code\":\"c\"}\n1.02 call authenticateV2 ada 200 signed-in connection=2 opening=0.005 body={\"code\":\"c\"}",
            .pass, "done once"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end)
        #expect(verdict.result == trial.result)
        #expect(verdict.summary.hasPrefix(trial.words), "\(verdict.summary)")
    }

    @Test(arguments: [
        (
            "an app that opens the connection of its first retry halfway, at a tenth of the time", Timing(scale: 0.1),
            again(1.1, "connection=2 opening=0.045 tls=TLSv1.3 delayed=0.02"), Verdict.Result.pass
        ),
        (
            "a library at a tenth of the time", Timing(scale: 0.1), again(1.032, "connection=2 opening=0.001"),
            .notExercised
        ),
        (
            "an app whose timer waits for a clock that is set forward", Timing(basis: .sandbox),
            again(2, "connection=2 opening=0.005 wall=-0.98"), .pass
        ),
    ]) func `a resend is not an early retry`(_ name: String, _ timing: Timing, _ again: String, _ result: Verdict.Result) throws {
        let verdict = try Trial.judge("retry: { of: liveperson.readUnread, schedule: [1s, 2s] }", Self.first() + again, until: 100, timing)
        #expect(verdict.result == result, "\(verdict.summary)")
    }

    @Test(arguments: [
        (
            "GET",
            "entries 1 and 2, GET /x: the connection was lost without a byte of a response, and the library opened another (RFC 9112 §9.3.1)"
        ),
        (
            "POST",
            "entries 1 and 2, POST /x: the connection was lost without a byte of a response. Advice: POST is not idempotent, and the server may have carried out the first; a library should not repeat it by itself (RFC 9110 §9.2.2)"
        ),
    ]) func isToldInTheReport(_ method: String, _ words: String) throws {
        let story = """
            1 call readUnread ada lost method=\(method) connection=1 effect=EMPTY_RESPONSE
            1.02 call readUnread ada 200 unread-count method=\(method) connection=2 opening=0.005
            """
        let report = try Trial.report(Self.retry, story, until: 100)
        #expect(report.resent == [words])
        #expect(report.text(colour: false).contains("Sent again by the client's HTTP library, and counted as one call:\n  \(words)"))
        #expect(try VerdictReport(json: report.wholeJSON).resent == [words])
        #expect(report.calls == 2)
    }
}
