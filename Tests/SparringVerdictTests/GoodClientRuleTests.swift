import SparringVerdict
import Testing

/// Things that a good client may do, and beside each the mistake that is found.
@Suite struct GoodClientRuleTests {
    private static let forced = "never: { of: liveperson.registerPush, event: { calls: liveperson.registerPush, answered: token-missing } }"
    private static let marked = """
        never: { given: liveperson.registerPush, of: liveperson.registerPush, event: { findings: certificate-accepted }, until: { mark: signed-out }, marked: true, per: sandbox }
        """
    private static let foreign = """
        never: { given: { happened: foreign-push }, event: { mark: push-shown, with: { "mark:/dialog": "*" } }, allowedBy: { happened: vendor-push }, per: sandbox }
        """
    private static let pages = """
        once: { event: { calls: cxone.reportVisitorEvent, with: { "body:/type": PageView } }, each: { calls: cxone.reportVisitorEvent, with: { "body:/type": TimeSpentOnPage } }, unlike: ["body:/data/url", "body:/data/title"] }
        """
    private static let visits = """
        order: { first: { calls: cxone.reportVisitorEvent, with: { "body:/type": VisitorVisit } }, then: { calls: cxone.reportVisitorEvent, with: { "body:/type": PageView } }, same: "body:/visitId", firstMayBeOlder: true }
        """
    private static let most = """
        eventually: { after: { calls: liveperson.readUnread, answered: [unavailable, no-answer] }, comes: liveperson.readUnread, most: 2, within: 60s }
        """
    private static let inTurn = """
        within: { after: { calls: liveperson.publishText, answered: internal-error }, comes: liveperson.publishText, same: body:/body/event/message, next: true, most: 2, within: 60s }
        """
    private static let registers =
        "eventually: { after: { calls: liveperson.registerPush, answered: failed }, comes: { calls: liveperson.registerPush, answered: ok }, unless: { mark: signed-out } }"
    private static let renewed =
        "eventually: { after: { happened: new-push-token }, comes: { calls: liveperson.registerPush, answered: ok }, differs: { after: mark:/value, comes: body:/deviceToken }, per: sandbox }"
    private static let optional =
        "retry: { of: [liveperson.registerPush, liveperson.readUnread], schedule: [1s, 2s], optional: liveperson.readUnread, until: { mark: gave-up } }"

    private static func page(_ time: Double, _ url: String, _ title: String) -> String {
        "\(time) call cxone.reportVisitorEvent ada 204 event-kept body={\"type\":\"PageView\",\"data\":{\"url\":\"\(url)\",\"title\":\"\(title)\"}}\n"
    }

    private static func visit(_ time: Double, _ type: String, _ visit: String) -> String {
        "\(time) call cxone.reportVisitorEvent ada 204 event-kept body={\"type\":\"\(type)\",\"visitId\":\"\(visit)\"}\n"
    }

    private static func unread(_ times: Double...) -> String {
        times.map { "\($0) call readUnread ada 503 unavailable" }.joined(separator: "\n")
    }

    private static func said(_ time: Double, _ message: String, _ answer: String) -> String {
        "\(time) call publishText ada \(answer) body={\"body\":{\"event\":{\"message\":\"\(message)\"}}}\n"
    }

    private static let badge =
        "tells: { event: { mark: badge }, value: mark:/value, from: [{ event: { vendorCalls: liveperson.deliverPush }, value: body:/badge }] }"
    private static let visitor =
        "never: { given: { calls: liveperson.fetchEngagement, answered: ok }, event: { calls: liveperson.fetchEngagement, without: query:vid } }"
    private static let sequences = """
        reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket }, resubscribes: liveperson.subscribeEvents, asks: body:/body/fromSeq, told: "answer:/body/changes/*/sequence", within: 30s }
        """
    private static let byPath = """
        reconnect: { of: [liveperson.openConsumerSocket, liveperson.openConsumerSocketByToken], after: { socketEnds: liveperson.openConsumerSocketByToken }, credential: same, at: [header:Authorization, target:token], within: 30s, unless: { mark: window-closed } }
        """
    private static let prepares =
        "oneAtATime: { calls: cxone.readChannel, until: { mark: backgrounded }, marked: true, per: operation }"

    private static let alone =
        "stops: { after: { calls: cxone.readChannel, answered: failed }, calls: [cxone.readChannel, cxone.reportVisitorEvent], oneDevice: true, pause: 60s, per: sandbox }"

    private static func push(_ time: Double, _ badge: Int) -> String {
        "\(time) delivery deliverPush ada 200 push-accepted body={\"badge\":\(badge)}\n"
    }

    private static func opened(_ time: Double, _ socket: Int, _ token: String) -> String {
        "\(time) call openConsumerSocketByToken ada 101 socket-opened socket=\(socket) path=/a/consumer/ey.\(token).s\n"
    }

    private static func followed(from sequence: Int) -> String {
        """
        0 call openConsumerSocket ada 101 socket-opened socket=1
        1 call subscribeEvents ada 200 events-subscribed socket=1
        2 told eventsPublished ada body={"body":{"changes":[{"sequence":11},{"sequence":12},{"sequence":13}]}}
        5 end openConsumerSocket ada socket=1
        8 call openConsumerSocket ada 101 socket-opened socket=2
        9 call subscribeEvents ada 200 events-subscribed socket=2 body={"body":{"fromSeq":\(sequence)}}

        """
    }

    static let cases: [RuleTests.Case] = [
        .init(
            "goes on after a failed configuration", alone,
            "0 call cxone.readChannel cxone.readChannel 503 unavailable\n1 call cxone.reportVisitorEvent ada 204 event-kept", .fail,
            "cxone.reportVisitorEvent (event-kept) came 1.0 s after entry 1, cxone.readChannel (unavailable): nothing more should come for 60.0 s"
        ),
        .init(
            "another's configuration failed", alone,
            "0 call cxone.reportVisitorEvent bob 204 event-kept\n1 call cxone.readChannel cxone.readChannel 503 unavailable\n2 call cxone.reportVisitorEvent ada 204 event-kept",
            .notExercised, "which is right if it was another client's"),
        .init("the first of two pushes at once", badge, push(0, 1) + push(0.002, 2) + "0.1 mark badge ada value=1", .pass, "done once"),
        .init(
            "the first of two pushes, long after the second", badge, push(0, 1) + push(1, 2) + "9 mark badge ada value=1", .fail,
            "the mark 'badge' with 1; the client was given 2 (entry 2)"),
        .init(
            "a call that was under way when the first was answered", visitor,
            "0 call fetchEngagement ada 201 session-new took=3\n1 call fetchEngagement ada 201 session-new took=3", .pass,
            "done 2 times"),
        .init(
            "a call after the first was answered", visitor,
            "0 call fetchEngagement ada 201 session-new took=3\n4 call fetchEngagement ada 201 session-new", .fail,
            "liveperson.fetchEngagement (session-new)"),
        .init("from the last of several in one message", sequences, followed(from: 14), .pass, "done once"),
        .init(
            "one too far", sequences, followed(from: 15), .fail,
            "liveperson.subscribeEvents (events-subscribed) asks from sequence 15 on, and the last that was sent is 13: those in between are lost"
        ),
        .init(
            "the same token in the path", byPath, opened(0, 1, "t") + "5 end openConsumerSocketByToken ada socket=1\n" + opened(6, 2, "t"),
            .pass,
            "done once"),
        .init(
            "another token in the path", byPath,
            "0 mark started ada\n" + opened(0, 1, "t") + "5 end openConsumerSocketByToken ada socket=1\n" + opened(6, 2, "u"), .fail,
            "the next socket after the end of socket 1 without a close frame was opened with another credential, although nothing was wrong with the last"
        ),
        .init(
            "another, of an app without marks, whose user may have left and come back", byPath,
            opened(0, 1, "t") + "5 end openConsumerSocketByToken ada socket=1\n" + opened(6, 2, "u"), .notExercised,
            "the next socket after the end of socket 1 without a close frame was opened with another credential, although nothing was wrong with the last, which is right if the user left meanwhile, and the app reports no marks"
        ),
        .init(
            "prepares beside a preparation, of an app without marks", prepares,
            "0 call cxone.readChannel ada 200 channel-found took=3\n1 call cxone.readChannel ada 200 channel-found took=3", .notExercised,
            "cxone.readChannel (channel-found) came 2.0 s before entry 1, cxone.readChannel (channel-found), had ended: right after the mark backgrounded, and the app reports no marks"
        ),
        .init("a refusal that a fault forced", forced, "0 call registerPush ada 401 token-missing struck=1", .pass, "done once"),
        .init("the same by itself", forced, "0 call registerPush ada 401 token-missing", .fail, "liveperson.registerPush (token-missing)"),
        .init(
            "what only a mark could excuse, of an app without marks", marked,
            "0 call registerPush ada 201 push-registered\n1 call registerPush ada 201 push-registered finding=certificate-accepted",
            .notExercised, "liveperson.registerPush (push-registered): right after the mark signed-out, and the app reports no marks"),
        .init(
            "the same for an app with marks", marked,
            "0 mark started ada\n0 call registerPush ada 201 push-registered\n1 call registerPush ada 201 push-registered finding=certificate-accepted",
            .fail, "liveperson.registerPush (push-registered)"),
        .init(
            "excused by its mark", marked,
            "0 call registerPush ada 201 push-registered\n1 mark signed-out ada\n2 call registerPush ada 201 push-registered finding=certificate-accepted",
            .notExercised, "not seen: liveperson.registerPush"),
        .init(
            "a foreign push, shown as that", foreign, "0 configuration x - cause=foreign-push\n1 mark push-shown ada", .pass, "done once"),
        .init(
            "a foreign push, shown as the vendor's", foreign, "0 configuration x - cause=foreign-push\n1 mark push-shown ada dialog=d",
            .fail,
            "the mark 'push-shown'"),
        .init(
            "the vendor's comes after it", foreign,
            "0 configuration x - cause=foreign-push\n1 configuration x - cause=vendor-push\n2 mark push-shown ada dialog=d", .pass,
            "done once"),
        .init(
            "the vendor's came before it, and is opened after it", foreign,
            "0 configuration x - cause=vendor-push\n9 configuration x - cause=foreign-push\n90 mark push-shown ada dialog=d", .pass,
            "done once"),
        .init(
            "the vendor's is journalled after the app has shown it", foreign,
            "0 configuration x - cause=foreign-push\n2 mark push-shown ada dialog=d\n1 configuration x - cause=vendor-push", .pass,
            "done once"),
        .init(
            "on two devices", foreign,
            "0 configuration x - cause=vendor-push\n9 configuration x - cause=foreign-push\n10 mark push-shown ada dialog=d device=a\n10 mark push-shown ada dialog=d device=b",
            .pass, "done once"),
        .init(
            "both shown as the vendor's, after both have come", foreign,
            "0 configuration x - cause=foreign-push\n9 configuration x - cause=vendor-push\n10 mark push-shown ada dialog=d\n11 mark push-shown ada dialog=d",
            .fail, "the mark 'push-shown'"),
        .init("pages that share a title", pages, page(0, "a", "t") + page(1, "b", "t") + page(2, "b", "u"), .pass, "done 3 times"),
        .init(
            "another page", pages, page(0, "a", "t") + page(1, "b", "u"), .fail,
            "cxone.reportVisitorEvent (event-kept) came again after entry 1"),
        .init("a visit from before", visits, visit(0, "PageView", "1") + visit(1, "PageView", "1"), .notExercised, "not seen: "),
        .init(
            "another visit, announced", visits, visit(0, "PageView", "1") + visit(1, "VisitorVisit", "2") + visit(2, "PageView", "2"),
            .pass,
            "done once"),
        .init(
            "another visit, not announced", visits, visit(0, "VisitorVisit", "1") + visit(1, "PageView", "1") + visit(2, "PageView", "2"),
            .fail, "cxone.reportVisitorEvent (event-kept) came without "),
        .init("it gives up after as many as it need try", most, unread(0, 1, 3), .pass, "done 3 times"),
        .init("it gives up too soon", most, unread(0, 1), .fail, "no liveperson.readUnread came within"),
        .init(
            "a success begins the count again", most, unread(0, 1) + "\n2 call readUnread ada 200 unread-count\n" + unread(10, 11), .fail,
            "no liveperson.readUnread came within"),
        .init(
            "the next message, once the first was given up", inTurn,
            said(0, "a", "500 internal-error") + said(1, "a", "500 internal-error") + said(3, "a", "500 internal-error")
                + said(4, "b", "200 event-published"), .pass, "done 3 times"),
        .init(
            "the next message before that", inTurn, said(0, "a", "500 internal-error") + said(1, "b", "200 event-published"), .fail,
            "came before the event that had to follow entry 1"),
        .init(
            "a call with a token that nobody issued, made good by the person", registers,
            "0 call registerPush liveperson.registerPush 401 token-expired\n1 call registerPush ada 201 push-registered", .pass, "done once"
        ),
        .init(
            "the same, made good by another person", registers,
            "0 call registerPush bob 401 token-expired\n1 call registerPush ada 201 push-registered", .fail,
            "no liveperson.registerPush answered ok came within"),
        .init(
            "the old token once more, and then the new one", renewed,
            "0 configuration x - cause=new-push-token value=old\n1 call registerPush ada 201 push-registered body={\"deviceToken\":\"old\"}\n2 call registerPush ada 201 push-registered body={\"deviceToken\":\"new\"}",
            .pass, "done once"),
        .init(
            "only the old token once more", renewed,
            "0 configuration x - cause=new-push-token value=old\n1 call registerPush ada 201 push-registered body={\"deviceToken\":\"old\"}",
            .fail, "no liveperson.registerPush answered ok came within"),
        .init(
            "a retry that need not be, and another occasion later", optional, unread(0, 8) + "\n9 call readUnread ada 200 unread-count",
            .pass, "done 2 times"),
        .init("a retry that need not be, but comes too soon", optional, unread(0, 0.2), .fail, "came 200 ms after attempt 1"),
        .init(
            "it is left to the user, who tries at once", optional,
            "0 call readUnread ada 503 unavailable\n0 mark gave-up ada\n" + unread(0.2), .pass,
            "done once"),
        .init(
            "a retry that must be, later", optional, "0 call registerPush ada 503 unavailable\n8 call registerPush ada 201 push-registered",
            .fail, "due after 1.0 s"),
    ]

    @Test(arguments: cases)
    func `a good client passes, and the mistake beside it is found`(_ one: RuleTests.Case) throws {
        let verdict = try Trial.judge(one.rule, one.story, until: one.end)
        #expect(verdict.result == one.result, "\(verdict)")
        #expect(verdict.summary.contains(one.words))
    }
}
