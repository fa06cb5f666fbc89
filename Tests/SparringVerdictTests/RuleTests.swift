import SparringVerdict
import Testing

/// The rules but for retries: what each lets pass, what it tells of what it does not, and what it leaves open.
@Suite struct RuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: String
        var story: String
        var end: Double
        var result: Verdict.Result
        var words: String

        init(_ name: String, _ rule: String, _ story: String, until end: Double = 100, _ result: Verdict.Result, _ words: String) {
            (testDescription, self.rule, self.story, self.end, self.result, self.words) = (name, rule, story, end, result, words)
        }
    }

    private static let order = "order: { first: { calls: liveperson.registerPush, answered: ok }, then: liveperson.readUnread }"
    private static let neverInTheRun =
        "never: { of: liveperson.registerPush, event: { calls: liveperson.registerPush, answered: no-answer }, until: { mark: process-ended }, per: sandbox }"
    private static let never = "never: { of: liveperson.registerPush, event: { calls: liveperson.registerPush, answered: token-missing } }"
    private static let within =
        "within: { after: { calls: liveperson.uploadFile, answered: url-expired }, comes: liveperson.generateUploadUrl, within: 10s }"
    private static let same =
        "eventually: { after: { calls: liveperson.publishText, answered: no-answer, decided: none }, comes: liveperson.publishText, same: body:/body/event/message }"
    private static let mark =
        "eventually: { after: { calls: liveperson.Login.*, answered: failed }, times: 2, comes: { mark: gave-up }, unless: { calls: liveperson.Login.*, answered: ok } }"
    private static let once = "once: { event: identity.authorize, each: liveperson.Login.* }"
    private static let stops =
        "stops: { after: { calls: liveperson.Login.*, answered: authentication }, times: 3, calls: liveperson.Login.*, pause: 60s, reset: { calls: liveperson.Login.*, answered: ok } }"
    private static let fresh =
        "freshCredential: { of: [liveperson.Login.*, liveperson.openConsumerSocket], after: [{ calls: liveperson.Login.*, answered: failed }, { socketEnds: liveperson.openConsumerSocket, code: 4401 }], credential: [body:/code, header:Authorization], held: header:Authorization }"
    private static let stored =
        "freshCredential: { of: [liveperson.Login.*, liveperson.Pusher.*], after: { calls: [liveperson.Login.*, liveperson.Pusher.*], answered: failed }, credential: header:Authorization, underWay: 1s, reset: { mark: started } }"
    private static let reuse = "noReuse: { of: liveperson.Login.*, credential: body:/code }"
    private static let alone = "oneAtATime: { calls: liveperson.Login.*, per: operation }"
    private static let abandoned =
        "oneAtATime: { calls: liveperson.Login.*, until: { mark: window-closed }, per: operation }"
    private static let reconnect =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket, by: server, code: [none, 1001] }, credential: same, at: header:Authorization, within: 10s, unless: { mark: window-closed } }"
    private static let identified =
        "within: { after: { mark: signed-in }, comes: asapp.startSession, before: asapp.requestSocket, within: 60s }"
    private static let told = """
        tells:
          event: { mark: badge }
          value: mark:/value
          from:
            - { event: { calls: asapp.readStatus, answered: ok }, value: answer:/unreadMessages }
            - { event: { vendorCalls: asapp.receivePush }, value: body:/UnreadMessages }
        """
    private static let resubscribe =
        "reconnect: { of: liveperson.openConsumerSocket, after: { socketEnds: liveperson.openConsumerSocket, by: server }, resubscribes: liveperson.subscribeEvents, asks: body:/body/fromSeq, told: answer:/body/changes/0/sequence, within: 10s }"
    private static let logout =
        "cleanLogout: { begins: { calls: liveperson.registerPush, answered: ok }, ends: liveperson.unregisterPush, device: body:/deviceToken, signsOut: { mark: signed-out }, signsIn: liveperson.Login.*, calls: liveperson.Pusher.* }"
    private static let ascending = "ascending: { event: { mark: message-shown }, value: mark:/sequence, same: mark:/dialog }"

    private static let handshake = "within: { after: { connections: taken }, comes: { connections: left }, within: 60s }"
    private static let certificate =
        "never: { of: [{ connections: refused }, { findings: certificate-accepted }], event: { findings: certificate-accepted }, per: sandbox }"

    static let cases: [Case] = [
        Case("a handshake was given up", handshake, "0 connection taken a\n30 connection left a", .pass, "done once"),
        Case(
            "a handshake was waited for too long", handshake, "0 connection taken a\n61 connection left a", .fail,
            "a connection left without a request came 61.0 s after entry 1, a connection whose handshake never ends: more than 60.0 s"),
        Case(
            "another connection was given up", handshake, "0 connection taken a\n0 connection taken b\n1 connection left b", .fail,
            "after a connection whose handshake never ends no a connection left came within 100.0 s"),
        Case("the client turned away", certificate, "0 connection refused a", .pass, "done once"),
        Case(
            "a handshake that stalls is no certificate", certificate, "0 connection left a", .notExercised, "not seen: a connection refused"
        ),
        Case(
            "the client went on", certificate,
            "0 connection refused a\n1 call lookUpService ada 200 service-found finding=certificate-accepted", .fail,
            "liveperson.lookUpService (service-found)"),
        Case("in order", order, "0 call registerPush ada 201 push-registered\n1 call readUnread ada 200 unread-count", .pass, "done once"),
        Case(
            "the second first", order, "0 call readUnread ada 200 unread-count\n1 call registerPush ada 201 push-registered", .fail,
            "liveperson.readUnread (unread-count) came without liveperson.registerPush answered ok before it"),
        Case(
            "in order, but of another lane", order, "0 call registerPush bob 201 push-registered\n1 call readUnread ada 200 unread-count",
            .fail,
            "liveperson.readUnread (unread-count) came without liveperson.registerPush answered ok before it"),
        Case(
            "the first failed", order, "0 call registerPush ada 503 unavailable\n1 call readUnread ada 200 unread-count", .fail,
            "liveperson.readUnread (unread-count) came without liveperson.registerPush answered ok before it"),
        Case("neither", order, "0 call registerPush ada 201 push-registered", .notExercised, "not seen: liveperson.readUnread"),
        Case("it never happened", never, "0 call registerPush ada 201 push-registered", .pass, "done once"),
        Case("it happened", never, "0 call registerPush ada 401 token-missing", .fail, "liveperson.registerPush (token-missing)"),
        Case("nothing happened at all", never, "", .notExercised, "not seen: liveperson.registerPush"),
        Case(
            "it happened when it no longer counts", neverInTheRun,
            "0 call registerPush ada 201 push-registered\n1 mark process-ended -\n2 call registerPush ada lost",
            .pass, "done once"),
        Case(
            "it happened while it counts", neverInTheRun, "0 call registerPush ada lost\n1 mark process-ended -", .fail,
            "liveperson.registerPush (no answer)"),
        Case(
            "it came in time", within, "0 call uploadFile ada 401 url-expired\n10 call generateUploadUrl ada 200 upload-url-generated",
            .pass, "done once"),
        Case(
            "it came late", within, "0 call uploadFile ada 401 url-expired\n11 call generateUploadUrl ada 200 upload-url-generated", .fail,
            "liveperson.generateUploadUrl (upload-url-generated) came 11.0 s after entry 1, liveperson.uploadFile (url-expired): more than 10.0 s"
        ),
        Case(
            "it did not come", within, "0 call uploadFile ada 401 url-expired", .fail,
            "after liveperson.uploadFile (url-expired) no liveperson.generateUploadUrl came within 100.0 s"),
        Case(
            "the run ended before", within, "0 call uploadFile ada 401 url-expired", until: 4, .undecided,
            "4.0 s of 10.0 s watched after entry 1; it would be judged 6.1 s later: keep the client running, or use --settle"),
        Case(
            "the same came", same,
            "0 call publishText ada lost body={\"body\":{\"event\":{\"message\":\"a\"}}}\n5 call publishText ada 200 event-published body={\"body\":{\"event\":{\"message\":\"a\"}}}",
            .pass, "done once"),
        Case(
            "another came", same,
            "0 call publishText ada lost body={\"body\":{\"event\":{\"message\":\"a\"}}}\n5 call publishText ada 200 event-published body={\"body\":{\"event\":{\"message\":\"b\"}}}",
            .fail, "after liveperson.publishText (no answer) no liveperson.publishText came within 100.0 s"),
        Case(
            "what was decided is not owed", same,
            "0 call publishText ada lost event-published body={\"body\":{\"event\":{\"message\":\"a\"}}}", .notExercised,
            "not seen: liveperson.publishText answered no-answer"),
        Case(
            "a mark was sent", mark,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature\n2 mark gave-up ada", .pass,
            "done once"),
        Case(
            "a client that sends marks did not send this one", mark,
            "0 mark started ada\n0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature", .fail,
            "after liveperson.authenticateV2 (bad-signature) no the mark gave-up came within 99.0 s"),
        Case(
            "a client that sends no marks", mark,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature",
            .notExercised, "the client sends no marks, and the mark gave-up is not visible on the network"),
        Case(
            "something else came instead", mark,
            "0 mark started ada\n0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 200 signed-in", .notExercised,
            "not seen: liveperson.Login.* answered failed, 2 times"),
        Case(
            "once for each", once,
            "0 call identity.authorize ada 302 redirected\n1 call authenticateV2 ada 200 signed-in\n2 call identity.authorize ada 302 redirected",
            .pass,
            "done 2 times"),
        Case(
            "twice for one", once, "0 call identity.authorize ada 302 redirected\n1 call identity.authorize ada 302 redirected", .fail,
            "identity.authorize (redirected) came again after entry 1"),
        Case(
            "it stopped", stops,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature\n2 call authenticateV2 ada 500 bad-signature",
            .pass,
            "done once"),
        Case(
            "it went on", stops,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature\n2 call authenticateV2 ada 500 bad-signature\n3 call authenticateV2 ada 500 bad-signature",
            .fail,
            "liveperson.authenticateV2 (bad-signature) came 1.0 s after entry 3, liveperson.authenticateV2 (bad-signature): nothing more should come for 60.0 s"
        ),
        Case(
            "a success ended the row", stops,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature\n2 call authenticateV2 ada 200 signed-in\n3 call authenticateV2 ada 500 bad-signature",
            until: 20, .undecided,
            "17.0 s of 60.0 s watched after entry 4; it would be judged 43.0 s later: keep the client running, or use --settle"),
        Case(
            "stopping early is stopping", stops, "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature",
            .pass,
            "done once"),
        Case(
            "it is not known yet whether it stopped", stops,
            "0 call authenticateV2 ada 500 bad-signature\n1 call authenticateV2 ada 500 bad-signature\n2 call authenticateV2 ada 500 bad-signature",
            until: 12, .undecided,
            "10.0 s of 60.0 s watched after entry 3; it would be judged 50.0 s later: keep the client running, or use --settle"),
        Case(
            "another code", fresh,
            "0 call authenticateV2 ada 500 code-reused body={\"code\":\"a\"}\n1 call authenticateV2 ada 200 signed-in body={\"code\":\"b\"}",
            .pass, "done once"),
        Case(
            "the same code, though nobody refused it", fresh,
            "0 call authenticateV2 ada lost signed-in body={\"code\":\"a\"}\n1 call authenticateV2 ada 500 code-reused body={\"code\":\"a\"}",
            .fail,
            "liveperson.authenticateV2 (code-reused) brought the same credential (body:/code) again after entry 1, liveperson.authenticateV2 (no answer (decided: signed-in))"
        ),
        Case(
            "the same token after 4401", fresh,
            "0 call openConsumerSocket ada 101 socket-opened auth=t1\n9 end openConsumerSocket ada code=4401 socket=1\n10 call openConsumerSocket ada 401 token-refused auth=t1",
            .fail,
            "liveperson.openConsumerSocket (token-refused) brought the same credential (header:Authorization) again after entry 2, the end of socket 1 with 4401"
        ),
        Case(
            "a socket was closed without a code",
            "within: { after: { socketEnds: liveperson.openConsumerSocket, code: [none, 1006] }, comes: liveperson.openConsumerSocket, within: 10s }",
            "0 call openConsumerSocket ada 101 socket-opened socket=1\n5 end openConsumerSocket ada socket=1 code=1005\n6 call openConsumerSocket ada 101 socket-opened socket=2",
            .pass, "done once"),
        Case(
            "nothing came after it", fresh, "0 call authenticateV2 ada 500 code-reused body={\"code\":\"a\"}", .notExercised,
            "no further call came after entry 1"),
        Case(
            "the same token at once in another call", stored,
            "0 call registerPush ada 401 token-expired auth=t1\n0.5 call readUnread ada 401 token-expired auth=t1 path=/unread\n2 call registerPush ada 201 push-registered auth=t2",
            .pass, "done once"),
        Case(
            "the same token at once in the same call", stored,
            "0 call registerPush ada 401 token-expired auth=t1\n0.5 call registerPush ada 401 token-expired auth=t1", .fail,
            "liveperson.registerPush (token-expired) brought the same credential (header:Authorization) again after entry 1, liveperson.registerPush (token-expired)"
        ),
        Case(
            "the same token of another device, each on its own connection", stored,
            "0 call registerPush ada 401 token-expired auth=t1 connection=1\n0.5 call registerPush ada 401 token-expired auth=t1 connection=2\n1 call registerPush ada 201 push-registered auth=t2 connection=1",
            .pass, "done once"),
        Case(
            "the same token on a new connection", stored,
            "0 call registerPush ada 401 token-expired auth=t1 connection=1\n0.5 call registerPush ada 401 token-expired auth=t1 connection=2\n1 call registerPush ada 201 push-registered auth=t2 connection=2",
            .fail,
            "liveperson.registerPush (token-expired) brought the same credential (header:Authorization) again after entry 1, liveperson.registerPush (token-expired)"
        ),
        Case(
            "the same token again and again, each on its own connection", stored,
            "0 call registerPush ada 401 token-expired auth=t1 connection=1\n0.6 call registerPush ada 401 token-expired auth=t1 connection=2\n1.2 call registerPush ada 401 token-expired auth=t1 connection=1",
            .fail,
            "liveperson.registerPush (token-expired) brought the same credential (header:Authorization) again after entry 2, liveperson.registerPush (token-expired)"
        ),
        Case(
            "the same token in another call, later", stored,
            "0 call registerPush ada 401 token-expired auth=t1\n3 call readUnread ada 401 token-expired auth=t1 path=/unread", .fail,
            "liveperson.readUnread (token-expired) brought the same credential (header:Authorization) again after entry 1, liveperson.registerPush (token-expired)"
        ),
        Case(
            "the same token after a start", stored,
            "0 call registerPush ada 401 token-expired auth=t1\n5 mark started ada\n6 call registerPush ada 401 token-expired auth=t1\n7 call registerPush ada 201 push-registered auth=t2",
            .pass, "done once"),
        Case(
            "codes of a form and of JSON", reuse,
            "0 call authenticateV2 ada 200 signed-in body=code=a%2Bb&x=1\n1 call authenticateV2 ada 500 code-reused body={\"code\":\"a+b\"}",
            .fail,
            "liveperson.authenticateV2 (code-reused) brought what entry 1 had used"),
        Case(
            "two codes", reuse,
            "0 call authenticateV2 ada 200 signed-in body={\"code\":\"a\"}\n1 call authenticateV2 ada 200 signed-in body={\"code\":\"b\"}",
            .pass,
            "done 2 times"),
        Case(
            "one after the other", alone, "0 call authenticateV2 ada 200 signed-in took=5\n5 call authenticateV2 ada 200 signed-in", .pass,
            "done once"),
        Case(
            "one beside the other", alone, "0 call authenticateV2 ada 200 signed-in took=5\n4 call authenticateV2 ada 200 signed-in", .fail,
            "liveperson.authenticateV2 (signed-in) came 1.0 s before entry 1, liveperson.authenticateV2 (signed-in), had ended"),
        Case(
            "a quick one beside a slow one that ends later", alone,
            "1 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in took=5", .fail,
            "liveperson.authenticateV2 (signed-in) came 4.0 s before entry 2, liveperson.authenticateV2 (signed-in), had ended"),
        Case(
            "the first was given up before anything was decided", alone,
            "0 gave-up authenticateV2 ada took=1\n2 call authenticateV2 ada 200 signed-in", .pass, "done once"),
        Case(
            "one beside another that is given up", alone,
            "3 call authenticateV2 ada 200 signed-in\n0 gave-up authenticateV2 ada took=5", .fail,
            "liveperson.authenticateV2 (signed-in) came 2.0 s before entry 2, liveperson.authenticateV2 (no answer), had ended"),
        Case(
            "the first was abandoned", abandoned,
            "1 mark window-closed ada\n2 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in took=4", .pass,
            "done once"),
        Case(
            "something else was abandoned", abandoned,
            "1 mark window-closed ada\n3 call authenticateV2 ada 200 signed-in\n2 call authenticateV2 ada 200 signed-in took=5", .fail,
            "liveperson.authenticateV2 (signed-in) came 4.0 s before entry 3, liveperson.authenticateV2 (signed-in), had ended"),
        Case(
            "reconnected with the same token", reconnect,
            "0 call openConsumerSocket ada 101 socket-opened auth=t\n5 end openConsumerSocket ada socket=1\n6 call openConsumerSocket ada 101 socket-opened auth=t",
            .pass, "done once"),
        Case(
            "reconnected with another", reconnect,
            "0 mark started ada\n0 call openConsumerSocket ada 101 socket-opened auth=t\n5 end openConsumerSocket ada socket=1\n6 call openConsumerSocket ada 101 socket-opened auth=u",
            .fail,
            "the next socket after the end of socket 1 without a close frame was opened with another credential, although nothing was wrong with the last"
        ),
        Case(
            "did not reconnect", reconnect,
            "0 call openConsumerSocket ada 101 socket-opened auth=t\n5 end openConsumerSocket ada socket=1 code=1001",
            .fail,
            "after the end of socket 1 with 1001 no socket was opened within 95.0 s (the client sends no marks: 'window-closed' may excuse it)"
        ),
        Case(
            "had left", reconnect,
            "0 call openConsumerSocket ada 101 socket-opened auth=t\n5 end openConsumerSocket ada socket=1\n6 mark window-closed ada",
            .excused,
            "the end of socket 1 without a close frame was excused 1.0 s later by entry 3, the mark 'window-closed': it would have been judged after 9.0 s more"
        ),
        Case(
            "a close of the client's own", reconnect,
            "0 call openConsumerSocket ada 101 socket-opened auth=t\n5 end openConsumerSocket ada socket=1 code=1000 by=client",
            .notExercised,
            "not seen: the end of a socket of liveperson.openConsumerSocket"),
        Case(
            "a push that the phone had before its endpoint answered", told,
            """
            0 call asapp.readStatus ada 200 status-told told={"unreadMessages":0}
            3 mark badge ada value=1
            2 delivery asapp.receivePush ada 200 push-accepted took=2 body={"UnreadMessages":1}
            """, .pass, "done once"),
        Case(
            "a number that came after it was shown", told,
            """
            0 call asapp.readStatus ada 200 status-told told={"unreadMessages":0}
            3 mark badge ada value=1
            4 delivery asapp.receivePush ada 200 push-accepted took=1 body={"UnreadMessages":1}
            """, .fail, "the mark 'badge' with 1; the client was given 0 (entry 1)"),
        Case(
            "identified before the chat", identified,
            "0 mark signed-in ada\n1 call asapp.startSession ada 200 session-started\n2 call asapp.requestSocket ada 200 socket-offered",
            .pass,
            "done once"),
        Case(
            "opened the chat before", identified,
            "0 mark signed-in ada\n1 call asapp.requestSocket ada 200 socket-offered\n2 call asapp.startSession ada 200 session-started",
            .fail,
            "asapp.requestSocket (socket-offered) came before asapp.startSession, after entry 1, the mark 'signed-in'"),
        Case(
            "subscribed again from where it was", resubscribe,
            """
            0 call openConsumerSocket ada 101 socket-opened
            0 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":0}}
            1 told eventsPublished ada body={"body":{"changes":[{"sequence":4}]}}
            5 end openConsumerSocket ada socket=1
            6 call openConsumerSocket ada 101 socket-opened
            7 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":5}}
            """, .pass, "done once"),
        Case(
            "subscribed again where numbers end", resubscribe,
            """
            0 call openConsumerSocket ada 101 socket-opened
            0 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":0}}
            1 told eventsPublished ada body={"body":{"changes":[{"sequence":9223372036854775807}]}}
            5 end openConsumerSocket ada socket=1
            6 call openConsumerSocket ada 101 socket-opened
            7 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":9223372036854775807}}
            """, .pass, "done once"),
        Case(
            "left a gap", resubscribe,
            """
            0 call openConsumerSocket ada 101 socket-opened
            0 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":0}}
            1 told eventsPublished ada body={"body":{"changes":[{"sequence":4}]}}
            2 told eventsPublished ada lost body={"body":{"changes":[{"sequence":5}]}}
            5 end openConsumerSocket ada socket=1
            6 call openConsumerSocket ada 101 socket-opened
            7 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":6}}
            """, .fail,
            "liveperson.subscribeEvents (events-subscribed) asks from sequence 6 on, and the last that was sent is 4: those in between are lost"
        ),
        Case(
            "never subscribed again", resubscribe,
            """
            0 call openConsumerSocket ada 101 socket-opened
            0 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":0}}
            5 end openConsumerSocket ada socket=1
            6 call openConsumerSocket ada 101 socket-opened
            """, .fail, "after liveperson.openConsumerSocket (socket-opened) none of liveperson.subscribeEvents came within 94.0 s"),
        Case(
            "unregistered, then signed out", logout,
            "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n1 call unregisterPush ada 204 push-unregistered\n2 mark signed-out ada",
            .pass,
            "done once"),
        Case(
            "tried to, without success", logout,
            "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n1 call unregisterPush ada lost\n2 mark signed-out ada",
            .pass, "done once"),
        Case(
            "signed out without a word", logout,
            "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n2 mark signed-out ada", .fail,
            "ada signed out, and there was no attempt to unregister what entry 1 registered"),
        Case(
            "the next user took the device over", logout,
            "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n5 call registerPush bob 201 push-registered body={\"deviceToken\":\"d\"}",
            .fail,
            "bob took over the device of ada, and there was no attempt to unregister what entry 1 registered"),
        Case(
            "went on after signing out", logout,
            "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n1 call unregisterPush ada 204 push-unregistered\n2 mark signed-out ada\n3 call readUnread ada 200 unread-count",
            .fail, "liveperson.readUnread (unread-count) came after ada had signed out in entry 3"),
        Case(
            "in ascending order", ascending, "0 mark message-shown ada dialog=d sequence=1\n1 mark message-shown ada dialog=d sequence=2",
            .pass, "done 2 times"),
        Case(
            "twice the same", ascending, "0 mark message-shown ada dialog=d sequence=2\n1 mark message-shown ada dialog=d sequence=2",
            .fail,
            "the mark 'message-shown' with 2 came after entry 1 with 2"),
        Case(
            "of two dialogs", ascending, "0 mark message-shown ada dialog=d sequence=2\n1 mark message-shown ada dialog=e sequence=1",
            .pass, "done 2 times"),
    ]

    @Test(arguments: cases)
    func `a rule tells what it should`(_ row: Case) throws {
        let verdict = try Trial.judge(row.rule, row.story, until: row.end)
        #expect(verdict.result == row.result)
        #expect(verdict.summary == row.words)
    }

    /// Longer than what is read at once by the thread that reads ahead.
    @Test(arguments: [nil, 1, 1024, 1025, 2500, 2999])
    func `a long run is judged in its order`(swapped: Int?) throws {
        var lines = (1...3000).map { "\($0) mark message-shown ada dialog=d sequence=\($0)" }
        if let swapped { lines.swapAt(swapped - 1, swapped) }
        let verdict = try Trial.judge(Self.ascending, lines.joined(separator: "\n"), until: 4000)
        #expect(verdict.result == (swapped == nil ? .pass : .fail), "\(verdict)")
        #expect(swapped == nil || verdict.evidence.first?.entry == swapped.map { $0 + 1 }, "\(verdict)")
    }

    @Test(
        arguments: [
            ("never: { event: liveperson.registerPsh }", "nearest: liveperson.registerPush"),
            ("never: { event: { calls: liveperson.registerPush, answered: token-expird } }", "nearest: token-expired"),
            ("never: { event: { calls: liveperson.registerPush, with: { boddy:/x: a } } }", "a place such as body:/id_token"),
            (
                "never: { event: { calls: liveperson.registerPush, effect: STAL } }",
                "no fault has the effect 'STAL' (did you mean 'STALL'?)"
            ),
            ("never: { event: { calls: liveperson.registerPush, struck: yes-please } }", "'struck' must be true or false"),
            ("retry: { of: liveperson.registerPush, schedule: [1s], lateness: much }", "'lateness' must be a number"),
            ("never: { event: { calls: liveperson.registerPush }, oneDevice: 1 }", "'oneDevice' must be true or false"),
            ("nevr: { event: liveperson.registerPush }", "unknown member 'nevr' (did you mean 'never'?)"),
            ("retry: { of: liveperson.registerPush, schedule: [1s, soon] }", "'soon' is not a duration"),
            ("retry: { of: liveperson.registerPush, schedule: [1s], tolerance: 2 }", "'tolerance' is a part of the delay"),
            ("retry: { of: liveperson.registerPush, schedule: [1s], after: [tired] }", "'tired' is not a class of failures"),
            ("retry: { schedule: [1s] }", "'of' is missing"),
            ("within: { after: liveperson.registerPush, comes: liveperson.readUnread }", "'within' is missing"),
            ("never: { event: { connections: gone } }", "'gone' is not one of taken, left, refused"),
            ("once: { event: { mark: a, calls: liveperson.readUnread } }", "one of calls, gaveUp"),
            ("noReuse: { of: liveperson.Login.*, credential: code }", "'code' is not a place"),
            (
                "reconnect: { of: liveperson.registerPush, after: { socketEnds: liveperson.openConsumerSocket } }",
                "there is no 'liveperson.registerPush' here"
            ),
            ("never: { event: { socketEnds: liveperson.openConsumerSocket, code: gone } }", "'gone' is neither a close code"),
            ("never: { event: { happened: foreign-psh } }", "there is no happening 'foreign-psh' (did you mean 'foreign-push'?)"),
            ("retry: { of: liveperson.registerPush, schedule: [{ policy: triez }] }", "no policy 'triez' (did you mean 'tries'?)"),
            ("retry: { of: liveperson.registerPush, schedule: [{ policy: tries, plus: 101 }] }", "'plus' must be a number from 0 to 100"),
            ("retry: { of: liveperson.registerPush, schedule: [{ policy: tries, pls: 1 }] }", "'pls' (did you mean 'plus'?)"),
            ("tells: { event: { mark: badge }, value: mark:/value }", "'from' is missing"),
            (
                "tells: { event: { mark: badge }, value: mark:/value, from: [{ event: liveperson.readUnread }] }",
                "a source has either 'value', the place of the value, or 'is', the value itself"
            ),
        ] as [(String, String)])
    func `what cannot be a rule is refused with file and line`(_ rule: String, _ words: String) {
        #expect {
            try Trial.rule(rule)
        } throws: { error in
            "\(error)".hasPrefix("trial.behaviour.yaml:") && "\(error)".contains(words)
        }
    }

    @Test(arguments: [
        ("3", true), ("500ms", true), ("[1s, 2s]", true), ("true", false), ("1001", false), ("[]", false), ("[1s, 2]", false),
    ])
    func `a policy is a number, a duration or a schedule`(_ value: String, _ isSound: Bool) {
        do {
            _ = try Trial.rule("never: { event: liveperson.registerPush }", tries: value)
            #expect(isSound)
        } catch {
            #expect(
                !isSound && "\(error)".contains("trial.behaviour.yaml:3:") && "\(error)".contains("'value' must be a number"), "\(error)")
        }
    }
}
