import SparringVerdict
import Testing

/// A server that is killed in the middle of a run takes its sockets with it, and the answers that it had committed and not sent.
@Suite struct KillTests {
    private static let once = "once: { event: { calls: liveperson.readUnread, answered: ok } }"
    private static let each = "once: { event: { calls: liveperson.readUnread, answered: ok }, each: liveperson.registerPush }"
    private static let code = "noReuse: { of: liveperson.authenticateV2, credential: body:/code }"
    private static let retry = "retry: { of: liveperson.readUnread, schedule: [1s, 2s] }"
    private static let sockets =
        "sockets: { of: liveperson.openConsumerSocket, after: { mark: signed-out }, within: 2s }"
    private static let within = "within: { after: { notified: liveperson.eventsPublished }, comes: liveperson.readUnread, within: 5s }"

    private static let reconnect =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, within: 10s }"

    private static func read(_ time: Double, _ answer: String = "200 unread-count", _ options: String = "") -> String {
        "\(time) call readUnread ada \(answer) method=GET \(options)\n"
    }

    private static func killed(_ time: Double, _ options: String = "") -> String { "\(time) killed x s process=2 \(options)\n" }

    private static let signIn = "call authenticateV2 ada 200 signed-in body={\"code\":\"c\"}"

    static let cases: [RuleTests.Case] = [
        .init("asked again after the kill", once, read(1) + killed(3) + read(3.5, "200 unread-count", "process=2"), .pass, "done"),
        .init(
            "asked again twice after the kill", once,
            read(1) + killed(3) + read(3.5, "200 unread-count", "process=2") + read(4, "200 unread-count", "process=2"), .fail,
            "liveperson.readUnread"),
        .init(
            "asked again, though the answer was followed by another on its connection", once,
            read(1, "200 unread-count", "connection=1") + "1.1 call registerPush ada 201 push-registered connection=1\n" + killed(3)
                + read(3.5, "200 unread-count", "process=2 connection=1"), .fail, "liveperson.readUnread"),
        .init(
            "asked again, though the answer was sent long before", once,
            read(1) + "4 call registerPush ada 201 push-registered\n" + killed(6) + read(6.5, "200 unread-count", "process=2"), .fail,
            "liveperson.readUnread"),
        .init(
            "asked again, though others' answers show that the server lived on", once,
            read(1) + killed(3, "doubtful=0") + read(3.5, "200 unread-count", "process=2"), .fail, "liveperson.readUnread"),
        .init(
            "asked again after a restart in order", once, read(1) + read(3.5, "200 unread-count", "process=2"), .fail,
            "liveperson.readUnread"),
        .init(
            "asked again, as what came of it was asked of a server that was away", each,
            "0 call registerPush ada 201 push-registered\n" + read(1) + "4 call registerPush ben 201 push-registered\n" + killed(6)
                + read(6.5, "200 unread-count", "process=2"), .pass, "done"),
        .init(
            "a code that is brought again, which has been brought whether its answer arrived or not", code,
            "1 \(signIn)\n" + killed(3) + "3.5 \(signIn) process=2\n", .fail, "brought what entry 1 had used"),
        .init(
            "a retry that was due while the server was away", retry,
            read(1, "503 unavailable") + "1.5 call registerPush ada 201 push-registered\n" + killed(3)
                + read(9, "200 unread-count", "process=2"),
            .notExercised, "the server was killed while something was due after entry 1"),
        .init(
            "a retry that came too soon before the server was killed", retry,
            read(1, "503 unavailable") + read(1.1, "503 unavailable") + "9 call registerPush ada 201 push-registered\n" + killed(9.5),
            .fail,
            "attempt 2"),
        .init("a failure that never arrived", retry, read(1, "503 unavailable") + killed(3), .notExercised, ""),
        .init(
            "a success that never arrived is not owed a retry", retry,
            read(0, "503 unavailable") + read(1) + killed(3) + read(9, "200 unread-count", "process=2"), .pass, "done once"),
        .init(
            "a socket that went with the server", sockets,
            "1 call openConsumerSocket ada 101 socket-opened socket=1\n2.5 call registerPush ada 201 push-registered\n" + killed(3)
                + "3.5 mark signed-out ada process=2\n", .notExercised,
            "not seen"),
        .init(
            "a socket of the next server that stays", sockets,
            killed(1) + "2 call openConsumerSocket ada 101 socket-opened socket=1 process=2\n3.5 mark signed-out ada process=2\n", .fail,
            "the socket of entry 2 stayed open"),
        .init(
            "a notification that never arrived", within, "1 told eventsPublished ada\n" + killed(1.5), .notExercised, ""),
        .init(
            "a notification that nothing followed in time", within,
            "1 told eventsPublished ada\n7 call registerPush ada 201 push-registered\n" + killed(8), .fail, "no liveperson.readUnread"),
        .init(
            "a notification that nothing had followed yet", within,
            "1 told eventsPublished ada\n4 call registerPush ada 201 push-registered\n" + killed(9), .notExercised,
            "the server was killed while something was due after entry 1"),
        .init(
            "a socket that was lost before, and not opened again in time", reconnect,
            "1 call openConsumerSocket ada 101 socket-opened socket=1\n2 end openConsumerSocket ada code=1006 socket=1\n40 call registerPush ada 201 push-registered\n"
                + killed(41), .fail, ""),
        .init(
            "a socket that was lost before, and could not be opened again", reconnect,
            "1 call openConsumerSocket ada 101 socket-opened socket=1\n2 end openConsumerSocket ada code=1006 socket=1\n" + killed(3),
            .notExercised, "the server was killed while something was due after entry 2"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end, process: 2)
        #expect(verdict.result == trial.result, "\(verdict.summary)")
        #expect(verdict.summary.contains(trial.words), "\(verdict.summary)")
    }

    @Test func `two clients are not blamed if each is right in a world of its own`() throws {
        // Ada did not get her answer, and asks again; Ben got his refusal, and asks again no sooner than he should.
        let rule = "order: { first: { calls: liveperson.registerPush, answered: ok }, then: liveperson.readUnread, per: lane }"
        let story =
            "1 call registerPush ben 201 push-registered\n1 call registerPush ada 503 unavailable\n" + Self.killed(3)
            + "4 call readUnread ben 200 unread-count process=2\n"
        let verdict = try Trial.judge(rule, story, until: 100, process: 2)
        #expect(verdict.result == .pass, "\(verdict.summary)")
    }
}
