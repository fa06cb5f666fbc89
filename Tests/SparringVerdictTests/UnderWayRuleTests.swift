import SparringVerdict
import Testing

/// Calls that were already under way, answers that have not arrived, and the owner of a mark.
@Suite struct UnderWayRuleTests {
    private static let wait =
        "within: { after: { calls: liveperson.publishText, answered: rate-limited }, comes: liveperson.publishText, atLeast: 1s, within: 60s }"
    private static let inOrder =
        "within: { after: { calls: liveperson.publishText, answered: rate-limited }, comes: liveperson.publishText, same: body:/body/event/message, next: true, within: 60s }"
    private static let alone =
        "oneAtATime: { calls: khoros.logIn, until: { mark: backgrounded }, per: device }"
    private static let badge = """
        tells: { event: { mark: badge }, value: mark:/value, from: [{ event: { vendorCalls: liveperson.deliverPush }, value: body:/badge }, { event: { mark: message-shown }, is: "0" }] }
        """
    private static let sequences = """
        reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, resubscribes: liveperson.subscribeEvents, asks: body:/body/fromSeq, told: ["answer:/body/changes/*/sequence", "answer:/body/sequence"], toldIn: liveperson.publishText, within: 30s }
        """
    private static let window =
        "sockets: { of: liveperson.openConsumerSocket, after: { mark: window-closed }, until: { mark: window-opened }, within: 5s }"
    private static let again =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, credential: same, at: header:Authorization, within: 35s, unless: { mark: window-closed } }"
    private static let token =
        "freshCredential: { of: liveperson.unregisterPush, brings: liveperson.readUnread, after: { calls: liveperson.readUnread, answered: token-expired }, credential: header:Authorization }"
    private static let several =
        "never: { event: { mark: badge, with: { mark:/value: [\"1*\", \"2*\"] } }, of: { mark: badge } }"

    private static let offered =
        "never: { given: { notified: liveperson.eventsPublished }, of: liveperson.publishText, event: { findings: welcome-late } }"

    private static func said(_ time: Double, _ text: String, _ answer: String = "429 rate-limited", took: Double = 0.5) -> String {
        "\(time) call publishText ada \(answer) took=\(took) body={\"body\":{\"event\":{\"message\":\"\(text)\"}}}\n"
    }

    private static func push(_ time: Double, _ badge: Int, _ answer: String = "200 push-accepted") -> String {
        "\(time) delivery deliverPush ada \(answer) body={\"badge\":\(badge)}\n"
    }

    /// A socket that was lost after something had come on it, and another on which the client asks from a sequence on.
    private static func asked(from sequence: Int, after told: String) -> String {
        """
        0 call openConsumerSocket ada 101 socket-opened socket=1
        1 call subscribeEvents ada 200 events-subscribed socket=1
        \(told)
        5 end openConsumerSocket ada socket=1
        9 call openConsumerSocket ada 101 socket-opened socket=2
        10 call subscribeEvents ada 200 events-subscribed socket=2 body={"body":{"fromSeq":\(sequence)}}
        """
    }

    private static func socket(_ time: Double, _ number: Int) -> String {
        "\(time) call openConsumerSocket ada 101 socket-opened socket=\(number)\n"
    }

    static let cases: [RuleTests.Case] = [
        .init(
            "what crosses a notification, and is right", offered,
            "1 told eventsPublished ada body={}\n1.007 call publishText ada 200 event-published", .pass, "done once"),
        .init(
            "what crosses a notification, and is wrong", offered,
            "1 told eventsPublished ada body={}\n1.007 call publishText ada 200 event-published finding=welcome-late", .notExercised,
            "not seen: liveperson.publishText"),
        .init(
            "what comes after it, and is wrong", offered,
            "1 told eventsPublished ada body={}\n1.03 call publishText ada 200 event-published finding=welcome-late", .fail,
            "liveperson.publishText (event-published)"),
        .init(
            "a second message that was sent before the first was refused", wait,
            said(0, "a") + said(0.1, "b") + said(3, "a", "200 event-published") + said(4, "b", "200 event-published"), .pass, "done once"),
        .init(
            "one that was sent too soon after it", wait, said(0, "a") + said(0.7, "a", "200 event-published"), .fail,
            "liveperson.publishText (event-published) came 200 ms after entry 1, liveperson.publishText (rate-limited): before 1.0 s had passed"
        ),
        .init(
            "a later message that was under way, and then the first", inOrder,
            said(0, "a") + said(0.1, "b") + said(3, "a", "200 event-published") + said(4, "b", "200 event-published"), .pass, "done 2 times"
        ),
        .init(
            "a later message before the first", inOrder, said(0, "a") + said(3, "b", "200 event-published"), .fail,
            "liveperson.publishText (event-published) came before the event that had to follow entry 1 (and 1 more)"),
        .init(
            "somebody else leaves the app", alone,
            "1 mark backgrounded bob\n2 call khoros.logIn ada 200 logged-in took=1\n0 call khoros.logIn ada 200 logged-in took=9", .fail,
            "khoros.logIn (logged-in) came 7.0 s before entry 3, khoros.logIn (logged-in), had ended"),
        .init(
            "the user does", alone,
            "1 mark backgrounded ada\n2 call khoros.logIn ada 200 logged-in took=1\n0 call khoros.logIn ada 200 logged-in took=9", .pass,
            "done 2 times"),
        .init(
            "a late push for what was read, and the number that the app shows", badge,
            "0 mark message-shown ada\n" + push(30, 1) + "31 mark badge ada value=0", .pass, "done once"),
        .init(
            "a push that did not arrive", badge,
            "0 mark message-shown ada\n" + push(1, 1, "503") + "60 mark badge ada value=0", .pass, "done once"),
        .init(
            "a push whose answer was lost, and which arrived", badge,
            "0 mark message-shown ada\n" + push(20, 1, "lost push-accepted") + "21 mark badge ada value=1", .pass, "done once"),
        .init(
            "and which did not", badge,
            "0 mark message-shown ada\n" + push(20, 1, "lost push-accepted") + "40 mark badge ada value=0", .pass, "done once"),
        .init(
            "a push that did, long ago", badge, "0 mark message-shown ada\n" + push(1, 1) + "60 mark badge ada value=0", .fail,
            "the mark 'badge' with 0, which is not the last that the client was given"),
        .init(
            "from the first sequence on, though nothing had come", sequences,
            asked(from: 1, after: "2 told conversationsChanged ada body={\"body\":{\"changes\":[]}}"), .fail,
            "liveperson.subscribeEvents (events-subscribed) asks from sequence 1 on, and none was sent before: those before it are lost"),
        .init("from the beginning", sequences, asked(from: 0, after: "2 told conversationsChanged ada body={}"), .pass, "done once"),
        .init(
            "after a message of its own, whose sequence was answered", sequences,
            asked(from: 1, after: "2 call publishText ada 200 event-published told={\"body\":{\"sequence\":0}}"), .pass, "done once"),
        .init(
            "a socket that is lost as the user leaves", again,
            "0 call openConsumerSocket ada 101 socket-opened socket=1 auth=a\n5 mark window-closed ada\n6 end openConsumerSocket ada socket=1 code=1006\n20 call openConsumerSocket ada 101 socket-opened socket=2 auth=b",
            .notExercised, "not seen: the end of a socket of liveperson.openConsumerSocket"),
        .init(
            "one that is lost long after the user came back", again,
            "0 call openConsumerSocket ada 101 socket-opened socket=1 auth=a\n1 mark window-closed ada\n2 call openConsumerSocket ada 101 socket-opened socket=2 auth=a\n3 end openConsumerSocket ada socket=2 code=1006\n6 call openConsumerSocket ada 101 socket-opened socket=3 auth=b",
            .fail,
            "the next socket after the end of socket 2 with 1006 was opened with another credential, although nothing was wrong with the last"
        ),
        .init(
            "a socket that is opened while the window is closed", window,
            "0 mark window-opened ada\n" + socket(1, 1)
                + "5 mark window-closed ada\n6 end openConsumerSocket ada socket=1 by=client\n" + socket(9, 2), .fail,
            "liveperson.openConsumerSocket (socket-opened) came after the mark 'window-closed' (entry 3), and the socket stayed open for 91.0 s"
        ),
        .init(
            "the window is open again", window,
            "0 mark window-opened ada\n" + socket(1, 1)
                + "5 mark window-closed ada\n6 end openConsumerSocket ada socket=1 by=client\n8 mark window-opened ada\n" + socket(9, 2),
            .pass, "done once"),
        .init(
            "the user comes back before it is closed", window,
            "0 mark window-opened ada\n" + socket(1, 1) + "5 mark window-closed ada\n7 mark window-opened ada", .pass, "done once"),
        .init(
            "an app that does not report when its window opens", window,
            socket(1, 1) + "5 mark window-closed ada\n6 end openConsumerSocket ada socket=1 by=client\n" + socket(9, 2), .pass, "done once"),
        .init(
            "a dead token at the end", token,
            "0 call readUnread ada 401 token-expired auth=t\n9 call unregisterPush ada 401 token-expired auth=t", .fail,
            "liveperson.unregisterPush (token-expired) brought the same credential (header:Authorization) again after entry 1, liveperson.readUnread (token-expired)"
        ),
        .init(
            "the same token again is another rule's", token,
            "0 call readUnread ada 401 token-expired auth=t\n3 call readUnread ada 401 token-expired auth=t\n9 call unregisterPush ada 204 push-unregistered auth=u",
            .pass, "done once"),
        .init("one of several values", several, "0 mark badge ada value=21", .fail, "the mark 'badge'"),
        .init("none of them", several, "0 mark badge ada value=0", .pass, "done once"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end)
        #expect(verdict.result == trial.result)
        #expect(verdict.summary == trial.words)
    }
}
