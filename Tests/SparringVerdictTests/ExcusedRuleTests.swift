import SparringVerdict
import Testing

/// Events that were seen and could not be decided: because the run ended, or because the client's user left first.
@Suite struct ExcusedRuleTests {
    private static let within =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s, unless: { mark: [signed-out, started] } }"
    private static let retry =
        "retry: { of: liveperson.registerPush, schedule: [4s, 8s], unless: { mark: signed-out } }"
    private static let reconnect =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, within: 20s, unless: { mark: signed-out } }"
    private static let reconnects =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, within: 20s, unless: [{ mark: signed-out }, { calls: liveperson.unregisterPush }] }"
    private static let replaced =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s, unless: { calls: liveperson.unregisterPush }, instead: liveperson.publishText }"
    private static let lost =
        "0 call openConsumerSocket ada 101 socket-opened socket=1\n5 end openConsumerSocket ada socket=1 code=1006\n"
    private static let tries =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s, gaveUp: { mark: gave-up }, tries: liveperson.Login.* }"
    private static let follows =
        "within: { after: { notified: liveperson.eventsPublished }, comes: liveperson.subscribeEvents, within: 10s }"
    private static let expired = "0 call uploadFile ada 401 url-expired\n"

    static let cases: [RuleTests.Case] = [
        .init(
            "the user signs out within the window", within, expired + "2 mark signed-out ada", .excused,
            "liveperson.uploadFile (url-expired) was excused 2.0 s later by entry 2, the mark 'signed-out': it would have been judged after 8.0 s more"
        ),
        .init(
            "the user signs out after it", within, expired + "12 mark signed-out ada", .fail,
            "after liveperson.uploadFile (url-expired) no liveperson.generateUploadUrl came within 12.0 s"),
        .init(
            "another was judged", within,
            expired + "1 call generateUploadUrl ada 200 upload-url\n2 call uploadFile ada 401 url-expired\n3 mark signed-out ada",
            .pass, "done once"),
        .init(
            "twice", within, expired + "2 mark signed-out ada\n20 call uploadFile ada 401 url-expired\n21 mark started ada", .excused,
            "liveperson.uploadFile (url-expired) was excused 2.0 s later by entry 2, the mark 'signed-out': it would have been judged after 8.0 s more (and 1 more)"
        ),
        .init(
            "a retry that is not due yet", retry, "0 call registerPush ada 503 unavailable\n1 mark signed-out ada", .excused,
            "liveperson.registerPush (unavailable) was excused 1.0 s later by entry 2, the mark 'signed-out': it would have been judged after 5.0 s more"
        ),
        .init(
            "a socket that need not be opened again", reconnect,
            "0 call openConsumerSocket ada 101 socket-opened socket=1\n5 end openConsumerSocket ada socket=1 code=1006\n6 mark signed-out ada",
            .excused,
            "the end of socket 1 with 1006 was excused 1.0 s later by entry 3, the mark 'signed-out': it would have been judged after 19.0 s more"
        ),
        .init(
            "a client that unregisters, and opens no other socket", reconnects, lost + "6 call unregisterPush ada 204 push-unregistered",
            .excused,
            "the end of socket 1 with 1006 was excused 1.0 s later by entry 3, liveperson.unregisterPush (push-unregistered): it would have been judged after 19.0 s more"
        ),
        .init(
            "one that unregisters after it should have opened one", reconnects,
            lost + "30 call unregisterPush ada 204 push-unregistered",
            .fail,
            "after the end of socket 1 with 1006 no socket was opened within 25.0 s (the client sends no marks: 'signed-out' may excuse it)"
        ),
        .init(
            "one that has opened one before", reconnects,
            lost + "7 call openConsumerSocket ada 101 socket-opened socket=2\n8 call unregisterPush ada 204 push-unregistered", .pass,
            "done once"),
        .init(
            "one that leaves before the socket is lost", reconnects,
            "0 call openConsumerSocket ada 101 socket-opened socket=1\n4 call unregisterPush ada 204 push-unregistered\n"
                + "5 end openConsumerSocket ada socket=1 code=1006", .notExercised,
            "not seen: the end of a socket of liveperson.openConsumerSocket"),
        .init(
            "what excuses does not keep a rule", replaced, expired + "2 call unregisterPush ada 204 push-unregistered", .excused,
            "liveperson.uploadFile (url-expired) was excused 2.0 s later by entry 2, liveperson.unregisterPush (push-unregistered): it would have been judged after 8.0 s more"
        ),
        .init("what is as good does", replaced, expired + "2 call publishText ada 200 event-published", .pass, "done once"),
        .init(
            "the run ends within the window", within, expired, until: 4, .undecided,
            "4.0 s of 10.0 s watched after entry 1; it would be judged 6.1 s later: keep the client running, or use --settle"),
        .init(
            "gives up and has not tried, though it can", tries,
            "0 call authenticateV2 ada 200 signed-in\n1 call uploadFile ada 401 url-expired\n2 mark gave-up ada",
            .fail, "after liveperson.uploadFile (url-expired) no liveperson.generateUploadUrl came within 99.0 s"),
        .init(
            "gives up after it has tried", tries,
            "1 call uploadFile ada 401 url-expired\n2 call authenticateV2 ada 401 token-refused\n3 mark gave-up ada", .excused,
            "liveperson.uploadFile (url-expired) was excused 2.0 s later by entry 3, the mark 'gave-up': it would have been judged after 8.0 s more"
        ),
        .init(
            "gives up, and its way of trying is not visible", tries, "1 call uploadFile ada 401 url-expired\n2 mark gave-up ada", .excused,
            "liveperson.uploadFile (url-expired) was excused 1.0 s later by entry 2, the mark 'gave-up': it would have been judged after 9.0 s more"
        ),
        .init(
            "what a vendor does after the process has ended", follows,
            "0 mark process-ended -\n1 told eventsPublished ada body={}", .notExercised, "not seen: liveperson.eventsPublished"),
        .init(
            "the same before it has ended", follows, "1 told eventsPublished ada body={}", .fail,
            "after liveperson.eventsPublished no liveperson.subscribeEvents came within 99.0 s"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end)
        #expect(verdict.result == trial.result)
        #expect(verdict.summary == trial.words)
    }

    @Test(
        arguments: [
            (
                "catches-up-after-reconnecting",
                lost.replacing("1006", with: "4401") + "7 call unregisterPush ada 204 push-unregistered"
            ),
            ("reconnects", lost + "7 call unregisterPush ada 204 push-unregistered"), ("reconnects", lost + "7 mark signed-out ada"),
            (
                "bot-reconnects",
                "0 call openAgentSocket bot 101 socket-opened socket=1\n9 end openAgentSocket bot by=failure socket=1\n"
                    + "20 call agentLogin bot 503 unavailable"
            ),
        ])
    func `leaving shows nothing of reconnecting`(_ rule: String, _ story: String) throws {
        let subscribed = story.replacing("\n5 end", with: "\n1 call subscribeEvents ada 200 events-subscribed socket=1\n5 end")
        let verdict = try Trial.judgeShipped(rule, subscribed, until: 200)
        #expect(verdict.result == .excused, "\(verdict.summary)")
    }

    private static let doubt =
        "doubt: true\neventually: { after: { calls: liveperson.authenticateV2, answered: authentication }, comes: { calls: liveperson.authenticateV2, answered: ok }, unless: { mark: gave-up }, within: 60s }"
    private static let refused = "0 call authenticateV2 ada 500 code-reused body={\"code\":\"c\"}\n"

    @Test(
        arguments: [
            (
                refused, 100, Verdict.Result.inconclusive, Int32(2),
                "after liveperson.authenticateV2 (code-reused) no liveperson.authenticateV2 answered ok came within 100.0 s (the client sends no marks: 'gave-up' may excuse it)"
            ),
            (
                refused + "1 mark process-ended -", 2, .inconclusive, 2,
                "the client's process ended, and nothing came of it: 2.0 s of 60.0 s watched after entry 1 (the client sends no marks: 'gave-up' may excuse it)"
            ),
            (refused + "9 mark gave-up ada", 100, .excused, 0, ""),
            (refused + "9 call authenticateV2 ada 200 signed-in body={\"code\":\"d\"}", 100, .pass, 0, "done once"),
        ])
    func `a doubt makes a run inconclusive`(_ story: String, _ end: Double, _ result: Verdict.Result, _ status: Int32, _ words: String)
        throws
    {
        let report = try Trial.report(Self.doubt, story, until: end)
        #expect(report.verdicts[0].result == result)
        #expect(report.exitStatus == status)
        #expect(report.verdicts[0].summary == words || words.isEmpty, "\(report.verdicts[0].summary)")
    }

    @Test func `a doubt is an advice beside what the scenario expects`() throws {
        let report = try Trial.report(Self.doubt, Self.refused, until: 100, expecting: "never-brings-a-code-twice")
        #expect(report.verdicts.map(\.result) == [.advice, .pass])
        #expect(report.exitStatus == 0)
    }

    @Test func isMissedWhereItIsExpected() throws {
        let verdict = try Trial.judge(Self.within, Self.expired + "2 mark signed-out ada", until: 100)
        var report = ReportSample.report([verdict])
        #expect(report.exitStatus == 0)
        #expect(report.text(colour: false).contains("excused"))
        report.verdicts[0].isExpected = true
        #expect(report.exitStatus == 2)
        #expect(report.text(colour: false).contains("EXCUSED trial"))
    }
}
