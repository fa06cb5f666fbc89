import SparringJSON
import SparringVerdict

extension ReviewedRunTests {
    /// Bad ones.
    static let bad: [Case] = [
        Case(
            "D16 a bot retries at once", "bot-waits-before-it-retries", .advice, failures("agentLogin", at: [0, 1, 2]),
            "150 call agentLogin ada 200 agent-logged-in"),
        Case(
            "D16 a connector retries at once", "bot-waits-before-it-retries", .advice, failures("sendRequest", at: [0, 1])),
        Case(
            "D16 a burst after 429", "bot-waits-a-second-after-429", .fail, failures("sendRequest", at: [0, 0.5], "429 rate-limited")),
        Case(
            "D16 a wrong password is tried again", "bot-does-not-repeat-what-was-refused", .advice,
            failures("agentLogin", at: [0, 5], "401 credentials-refused")),
        Case(
            "D16 node-agent-sdk's storm", "bot-does-not-reconnect-in-a-storm", .fail, bot,
            (1...11).map { "\(1 + Double($0) / 6) call openAgentSocket bot 101 socket-opened socket=\($0 + 1)" }.joined(separator: "\n")),
        Case(
            "D16 and its sign-ins", "bot-does-not-sign-in-in-a-storm", .fail,
            (0...10).map { "\($0) call agentLogin bot 200 agent-logged-in body={\"username\":\"bot\"}" }.joined(separator: "\n")),
        Case(
            "D16 a bot never reconnects", "bot-reconnects", .advice, bot, "9 end openAgentSocket bot by=failure socket=1"),
        Case(
            "a bot refreshes without success and goes on with the old bearer", "bot-signs-in-anew", .advice, until: 300,
            "0 call agentLogin bot 200 agent-logged-in", "100 call openAgentSocket bot 401 token-refused",
            "101 call agentRefresh bot 401 session-expired", "102 call agentLogout bot 401 session-expired"),
        Case(
            "D16 a bot goes on with the old bearer", "bot-signs-in-anew", .advice, until: 300, "0 call agentLogin bot 200 agent-logged-in",
            failures("openAgentSocket", at: [0, 60, 120], "401 token-refused")),
        Case(
            "D16 a bot sends nothing", "bot-keeps-its-socket-alive", .advice, bot,
            "66 end openAgentSocket bot by=server cause=idle socket=1"),
        Case(
            "E2 iOS does not count again", "retries-the-unread-count", .fail, platform: "ios", "0 call readUnread ada 503 unavailable"),
        Case(
            "E3b five services side by side, and never again", "tries-the-initialisation-once-more", .fail,
            (0..<5).map { "0 call lookUpService x 503 unavailable path=/s\($0)" }.joined(separator: "\n")),
        Case(
            "E3 a third initialisation", "stops-asking", .fail,
            [0, 2, 4].flatMap { time in (0..<5).map { "\(time) call lookUpService x 503 unavailable path=/s\($0)" } }.joined(
                separator: "\n")),
        Case(
            "E11 three retries, unsaid", backOff, .fail, failures("registerPush", at: [0, 1, 3, 7]), "7.5 mark gave-up ada"),
        Case(
            "E14, w18 the window is left, and the socket stays", "closes-the-socket-with-the-window", .fail, socket,
            "10 mark window-closed ada",
            "60 end openConsumerSocket ada code=1000 by=client socket=1"),
        Case(
            "l05 the socket of a user who has signed out", "closes-the-socket-with-the-window", .fail, socket, "10 mark signed-out ada"),
        Case(
            "D17 what the end of the process hangs up is no time-out", "has-a-time-out", .notExercised,
            "0 call registerPush ada lost effect=STALL ordinal=7", "5 gave-up registerPush ada ordinal=7", "5.001 mark process-ended x"),
        Case(
            "nobody opens another after sockets that named nobody", "reconnects", .fail, socket,
            "5 end openConsumerSocket ada by=server socket=1",
            "8 call openConsumerSocket liveperson.openConsumerSocket 101 socket-opened socket=2",
            "9 end openConsumerSocket liveperson.openConsumerSocket by=server socket=2"),
        Case(
            "w19 two sockets for one window", "has-one-socket", .fail, socket,
            "5 call openConsumerSocket ada 101 socket-opened socket=2 auth=t1"),
        Case(
            "E16, p07 a second start without a registration", "registers-again-at-the-start", .fail, "0 mark started ada",
            "1 call authenticateV2 ada 200 signed-in", "2 call registerPush ada 201 push-registered \(device)",
            "3 call requestConversation ada 200 conversation-requested", "50 mark started ada", "51 call authenticateV2 ada 200 signed-in"),
        Case(
            "E14 a count without credentials", "counts-with-credentials", .fail, "1 call readUnread ada 401 token-missing"),
        Case(
            "row 169 the window is closed and opened again and again", "avoids-needless-reopening", .advice,
            (0..<7).map { "\(Double($0) * 5 + 1) end openConsumerSocket ada code=1000 by=client socket=\($0)" }.joined(separator: "\n")),
        Case(
            "the token that was refused comes again in InitConnection", "fetches-a-fresh-token", .fail, inline(1),
            "5 end openConsumerSocket ada code=4401 by=server socket=1", inline(2, at: 6)),
        Case(
            "another token in InitConnection, without need", "reconnects-with-the-same-token", .fail, "0 mark started ada", inline(1),
            "5 end openConsumerSocket ada code=1001 by=server socket=1", inline(2, at: 6, "t2")),
        Case(
            "two sockets that sign in by InitConnection", "has-one-socket", .fail, inline(1), inline(2, at: 5)),
        Case(
            "a second and a third socket", "has-one-socket", .fail, socket,
            "5 call openConsumerSocket ada 101 socket-opened socket=2 auth=t1",
            "60 call openConsumerSocket ada 101 socket-opened socket=3 auth=t1",
            "61 end openConsumerSocket ada code=1000 by=client socket=1",
            "62 end openConsumerSocket ada code=1000 by=client socket=2"),
        Case(
            "row 32 a badge that nobody told", "shows-the-badge-it-was-told", .fail,
            #"1 call readUnread ada 200 unread-count told={"total":3}"#, "2 mark badge ada value=2"),
        Case(
            "i06 a second login without initialize", "initialises-at-every-login", .fail,
            "0 call lookUpService x 200 service-found path=/s",
            "1 call authenticateV2 ada 200 signed-in", "5 mark signed-out ada", "9 call authenticateV2 ada 200 signed-in"),
        Case(
            "l07 the next user reads what was for the last", "leaves-no-pushes-behind", .fail,
            "0 call unregisterPush ada 204 push-unregistered", "9 call readUnread bob 200 unread-count finding=leak"),
        Case(
            "l07 another app's registration was removed", "unregisters-before-signing-out", .fail,
            "0 call registerPush ada 201 push-registered \(device)",
            "5 call unregisterPush ada 204 push-unregistered path=/registrations/other",
            "6 mark signed-out ada"),
        Case(
            "l16 six failed attempts, and no error on the screen", "unregisters-before-signing-out", .fail,
            "0 call registerPush ada 201 push-registered \(device)",
            failures("unregisterPush", at: [5, 6, 8, 12, 20, 36], "lost path=/registrations/app"),
            "37 mark signed-out ada"),
        Case(
            "l03 one failed attempt", "unregisters-before-signing-out", .fail, "0 call registerPush ada 201 push-registered \(device)",
            "5 call unregisterPush ada 503 unavailable path=/registrations/app", "6 mark signed-out ada"),
        Case(
            "w03 thirty sockets in four seconds", "does-not-reconnect-in-a-storm", .fail,
            (0..<30).map { "\(Double($0) * 0.13) call openConsumerSocket ada 101 socket-opened socket=\($0)" }.joined(separator: "\n")),
        Case(
            "w30 thirty sign-ins at once, each of them good", "does-not-sign-in-in-a-storm", .fail,
            (0..<30).map { "\(Double($0) * 0.2) call authenticateV2 ada 200 signed-in" }.joined(separator: "\n")),
        Case(
            "a25 a refused token is brought again later", "fetches-a-fresh-token", .fail, "0 call readUnread ada 401 token-revoked auth=t1",
            "1 call readUnread ada 200 unread-count auth=t2", "2 call readUnread ada 401 token-revoked auth=t1"),
        Case(
            "a07 the brand's old JWT after 4401", "fetches-a-fresh-token", .fail,
            "0 call authenticateV2 ada 200 signed-in body={\"id_token\":\"j\"}",
            "1 call openConsumerSocket ada 101 socket-opened socket=1 auth=t1", "5 end openConsumerSocket ada code=4401 by=server socket=1",
            "6 call authenticateV2 ada 200 signed-in body={\"id_token\":\"j\"}"),
        Case(
            "a14 a plain challenge that says so", "challenges-by-s256", .fail,
            "0 call identity.authorize ada 302 redirected query=code_challenge=c&code_challenge_method=plain"),
        Case(
            "a15 a challenge and no verifier", "verifies-what-it-challenged", .fail,
            "0 call identity.authorize ada 302 redirected query=code_challenge=x", "1 call authenticateV2 ada 500 code-verifier-missing"),
        Case(
            "row 98 a challenge and the verifier of another", "verifies-what-it-challenged", .fail,
            "0 call identity.authorize ada 302 redirected query=code_challenge=x", "1 call authenticateV2 ada 500 code-verifier-mismatch"),
        Case(
            "w14 the next window asks from beyond the gap", "asks-for-what-is-missing", .fail,
            #"0 told eventsPublished ada lost body={"body":{"changes":[{"sequence":3}]}}"#,
            #"5 call subscribeEvents ada 200 events-subscribed body={"body":{"fromSeq":9}}"#),
        Case(
            "w28 the visitor of an account that loads is thrown away", "reuses-the-visitor-id", .fail,
            "0 call fetchEngagement v 202 account-loading",
            "3 call fetchEngagement v 201 session-new", "20 call fetchEngagement v 200 session-known query=vid=1"),
        Case(
            "r27 what is refused is asked for each second", "gives-up-what-is-refused", .fail,
            failures("registerPush", at: (0..<40).map { Double($0) }, "400 request-malformed")),
        Case(
            "p06 the unread messages are never counted", "counts-the-unread-messages", .advice,
            "0 call registerPush ada 201 push-registered"),
        Case(
            "late by design: 2, 4, 8 s", backOff, .fail, failures("registerPush", at: [0, 2, 6, 14]),
            "14 call registerPush ada 201 push-registered"),
        Case(
            "late by design: a doubled last wait", backOff, .fail, failures("registerPush", at: [0, 1, 3, 7, 15]),
            "47 call registerPush ada 201 push-registered"),
    ]
}
