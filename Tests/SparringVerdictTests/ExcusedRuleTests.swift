import SparringVerdict
import Testing

/// What was seen and could not be decided: because the run ended, or because the client's user left first.
@Suite struct ExcusedRuleTests {
    private static let within =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s, unless: { mark: [signed-out, started] } }"
    private static let retry =
        "retry: { of: liveperson.registerPush, schedule: [4s, 8s], unless: { mark: signed-out } }"
    private static let reconnect =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, within: 20s, unless: { mark: signed-out } }"
    private static let tries =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s, gaveUp: { mark: gave-up }, tries: liveperson.Login.* }"
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
            "what a vendor does after the process has ended", within, "0 mark process-ended -\n1 delivery uploadFile ada 401 url-expired",
            .notExercised, "not seen: liveperson.uploadFile answered url-expired"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end)
        #expect(verdict.result == trial.result)
        #expect(verdict.summary == trial.words)
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
