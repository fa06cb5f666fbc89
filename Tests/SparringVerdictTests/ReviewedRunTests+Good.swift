import SparringJSON
import SparringVerdict

extension ReviewedRunTests {
    /// Good clients.
    static let good: [Case] = [
        Case(
            "the badge goes to 0 once a message is shown, and once the user has signed out", "shows-the-badge-it-was-told", .pass,
            "0 call readUnread ada 200 unread-count told={\"total\":3}", "1 mark badge ada value=3",
            "2 mark message-shown ada dialog=d sequence=1",
            "3 mark badge ada value=0", "4 call readUnread ada 200 unread-count told={\"total\":2}", "5 mark signed-out ada",
            "6 mark badge ada value=0"),
        Case(
            "F1 a window that closes says nothing of a registration behind it", backOff, .pass, failures("registerPush", at: [0, 1]),
            "1.5 mark window-closed ada", "3 call registerPush ada 503 unavailable", "7 call registerPush ada 201 push-registered"),
        Case(
            "F1 nor does signing out of the retries to unregister", backOff, .pass, failures("unregisterPush", at: [0, 1]),
            "1.5 mark signed-out ada", "3 call unregisterPush ada 204 push-unregistered"),
        Case(
            "F3, E6 another page's engagement at once", "goes-on-without-an-engagement", .pass,
            "0 call fetchEngagement v 200 session-known told={} \(pageA)", "1 call fetchEngagement v 200 session-known told={} \(pageB)"),
        Case(
            "F4 the user is on another page before the retry is due", "retries-after-3-10-30-90s", .excused,
            "0 call fetchEngagement v 503 unavailable \(pageA)", "1 call fetchEngagement v 200 session-known \(pageB)"),
        Case(
            "F5, E1 an engagement is retried by the standard schedule", "retries-after-3-10-30-90s", .pass,
            failures("fetchEngagement", at: [0, 1, 3, 7], "503 unavailable \(pageA)"),
            "15 call fetchEngagement ada 200 session-known \(pageA)"),
        Case(
            "F6 an account that loads gives no session to keep", "keeps-its-visitor-and-session", .pass,
            "0 call fetchEngagement v 202 account-loading",
            "3 call fetchEngagement v 201 session-new query=vid=1 told={\"sessionId\":\"s\"}",
            "20 call fetchEngagement v 200 session-known query=vid=1&sid=s told={\"sessionId\":\"s\"}"),
        Case(
            "F7 a window that opens again shows the conversation again", "shows-messages-in-the-order-of-their-sequence", .pass,
            "0 mark message-shown ada dialog=d sequence=1", "1 mark message-shown ada dialog=d sequence=2", "2 mark window-closed ada",
            "3 mark message-shown ada dialog=d sequence=1"),
        Case(
            "F8 phone and tablet show the same messages", "shows-messages-in-the-order-of-their-sequence", .pass,
            "0 mark message-shown ada device=phone dialog=d sequence=1", "1 mark message-shown ada device=phone dialog=d sequence=2",
            "2 mark message-shown ada device=tablet dialog=d sequence=1"),
        Case(
            "F8 and the same push", "shows-a-push-once", .pass, "0 mark push-shown ada device=phone dialog=d sequence=1",
            "1 mark push-shown ada device=tablet dialog=d sequence=1"),
        Case(
            "F8 the phone goes on after the tablet was signed out", "unregisters-before-signing-out", .pass,
            "0 mark started ada device=phone",
            "0 mark started ada device=tablet", "1 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"} path=/r/phone",
            "1 call registerPush ada 201 push-registered body={\"deviceToken\":\"e\"} path=/r/tablet",
            "2 call unregisterPush ada 204 push-unregistered path=/r/tablet", "3 mark signed-out ada device=tablet",
            "4 call readUnread ada 200 unread-count"),
        Case(
            "F9 the window is left soon after a push, and the mark comes after the close", "keeps-the-open-socket", .notExercised, socket,
            "5 delivery deliverPush x 200 push-accepted", "7 end openConsumerSocket ada code=1000 by=client socket=1",
            "8 mark window-closed ada"),
        Case(
            "F9 the same over the other opening", "keeps-the-open-socket", .notExercised,
            "0 call openConsumerSocketByToken ada 101 socket-opened socket=1", "5 delivery deliverPush x 200 push-accepted",
            "6 end openConsumerSocketByToken ada code=1000 by=client socket=1", "6.5 mark window-closed ada"),
        Case(
            "F9 without marks it cannot be seen", "keeps-the-open-socket", .notExercised, socket,
            "5 delivery deliverPush x 200 push-accepted",
            "7 end openConsumerSocket ada code=1000 by=client socket=1"),
        Case(
            "F10 the user leaves before the gap is asked for", "asks-for-what-is-missing", .excused,
            #"0 told eventsPublished ada lost body={"body":{"changes":[{"sequence":3}]}}"#, "5 mark window-closed ada",
            "6 mark signed-out ada"),
        Case(
            "F10 the user leaves before the message is sent again", "publishes-what-was-lost", .excused,
            "0 call publishText ada lost body={\"body\":{\"dialogId\":\"d\"}}", "5 mark window-closed ada"),
        Case(
            "F11, E5 an app without pushes counts", "counts-unread-after-the-registration", .notExercised,
            "0 call readUnread ada 200 unread-count"),
        Case(
            "F11 Android counts after six failed registrations", "counts-unread-after-the-registration", .pass,
            failures("registerPush", at: [0, 1, 3, 7, 15, 31]), "32 call readUnread ada 200 unread-count"),
        Case(
            "F12 the app's own login comes before the code for LivePerson", "asks-the-identity-provider-once-for-each-sign-in", .pass,
            "0 call identity.authorize ada 302 redirected", "1 call identity.authorize ada 302 redirected",
            "2 call authenticateV2 ada 200 signed-in"),
        Case(
            "F13 the user tries again 45 s after the app has given up", backOff, .pass, failures("registerPush", at: [0, 1, 3, 7, 15, 31]),
            "76 call registerPush ada 201 push-registered"),
        Case(
            "E2 Android leaves the badge and does not count again", backOff, .notExercised, "0 call readUnread ada 503 unavailable"),
        Case(
            "E2 nothing says that it is iOS", "retries-the-unread-count", .notExercised, "0 call readUnread ada 503 unavailable"),
        Case(
            "E3 five services side by side, twice, and then silence", "stops-asking", .pass,
            (0..<5).map { "0 call lookUpService x 503 unavailable path=/s\($0)" }.joined(separator: "\n"),
            (0..<5).map { "2 call lookUpService x 503 unavailable path=/s\($0)" }.joined(separator: "\n")),
        Case(
            "E3 which is a second attempt", "tries-the-initialisation-once-more", .pass,
            (0..<5).map { "0 call lookUpService x 503 unavailable path=/s\($0)" }.joined(separator: "\n"),
            (0..<5).map { "2 call lookUpService x 503 unavailable path=/s\($0)" }.joined(separator: "\n")),
        Case(
            "E4 the user signs in on the provider's page", "challenges-before-it-verifies", .pass,
            "0 call identity.authorize identity.authorize 200 sign-in-page query=code_challenge=c",
            "1 call authenticateV2 alice 200 signed-in body={\"code_verifier\":\"v\"}"),
        Case(
            "E7 signed out from outside, the app logs its user out", "reconnects", .excused, socket,
            "5 end openConsumerSocket ada code=4401 by=server socket=1",
            "7 call unregisterPush ada 204 push-unregistered"),
        Case(
            "E7 and needs no other token", "fetches-a-fresh-token", .pass, socket,
            "5 end openConsumerSocket ada code=4401 by=server socket=1",
            "7 call unregisterPush ada 204 push-unregistered auth=t1", "8 mark signed-out ada"),
        Case(
            "E10 a doubled push told its count", "asks-for-the-unread-count", .notExercised,
            "0 delivery deliverPush x 200 push-accepted struck=1 effect=duplicate-push"),
        Case(
            "E11 three retries, as the policy has it", backOff, .pass, policies: ["retries": 3],
            failures("registerPush", at: [0, 1, 3, 7]),
            "7.5 mark gave-up ada"),
        Case(
            "E12 the SDK tries twice within each call, as the policy has it", backOff, .pass, policies: ["burst": "300ms"],
            failures("registerPush", at: [0, 0.2, 1.2, 1.4, 3.4, 3.6]), "7.6 call registerPush ada 201 push-registered"),
        Case(
            "one refusal, and the client stops", "does-not-sign-in-in-a-loop", .pass, "0 call authenticateV2 ada 500 bad-signature"),
        Case(
            "who stops at once tells the user", "tells-the-user-when-it-gives-up", .pass, "0 call authenticateV2 ada 500 bad-signature",
            "1 mark gave-up ada"),
        Case(
            "who always names its redirect URI does well", "names-its-redirect-uri", .pass,
            "0 call authenticateV2 ada 200 signed-in body={\"code\":\"c\",\"redirect_uri\":\"u\"}"),
        Case(
            "a JWT in authCode is no code, and may come twice", "never-brings-a-code-twice", .notExercised,
            "0 call authenticateV1 ada 200 signed-in body={\"authCode\":\"j\"}",
            "9 call authenticateV1 ada 200 signed-in body={\"authCode\":\"j\"}"),
        Case(
            "another operation is retried once the user has seen the first one's error", backOff, .pass,
            failures("authenticateV2", at: [0, 1, 3, 7, 15, 31]),
            "31 call registerPush ada 503 unavailable", "31.5 mark gave-up ada", "32 call registerPush ada 201 push-registered"),
        Case(
            "the user goes to another page and back", "goes-on-without-an-engagement", .pass,
            "0 call fetchEngagement v 200 session-known told={} \(pageA)", "1 call fetchEngagement v 200 session-known told={} \(pageB)",
            "1.5 call fetchEngagement v 200 session-known told={} \(pageA)"),
        Case(
            "what is known of the user has changed", "goes-on-without-an-engagement", .pass,
            "0 call fetchEngagement v 200 session-known told={} \(pageA)", "1 call reportAttributes v 200 session-known",
            "1.5 call fetchEngagement v 200 session-known told={} \(pageA)"),
        Case(
            "the user tries again after the app has told that it gave up", "stops-after-the-fifth-retry", .pass,
            failures("authenticateV2", at: [0, 1, 3, 7, 15, 31]), "32 mark gave-up ada", "64 call authenticateV2 ada 200 signed-in"),
        Case(
            "a start with the token that is there registers before it signs in", "registers-again-at-the-start", .notExercised,
            "0 mark started ada",
            "1 call authenticateV2 ada 200 signed-in", "2 call registerPush ada 201 push-registered \(device)", "50 mark started ada",
            "51 call registerPush ada 200 push-replaced \(device)", "60 call authenticateV2 ada 200 signed-in"),
        Case(
            "sockets that were refused named nobody", signIns, .pass,
            failures("openConsumerSocket", at: [0, 1]).replacing(" ada ", with: " liveperson.openConsumerSocket "),
            "3 call openConsumerSocket ada 101 socket-opened socket=3"),
        Case(
            "an unread count is retried when it is due, whatever the user does with the window meanwhile", backOff, .pass, until: 40,
            "0 call readUnread ada 500 internal-error", "0.4 mark window-closed ada", "0.6 mark window-opened ada",
            "1 call readUnread ada 500 internal-error", "2 mark window-closed ada", "3 call readUnread ada 500 internal-error",
            "4 mark window-opened ada", "7 call readUnread ada 200 unread-count"),
        Case(
            "the user asks for it just when it is due, and the schedule starts again", backOff, .pass, until: 40,
            "0 call readUnread ada 500 internal-error", "0.9 mark window-opened ada", "1 call readUnread ada 500 internal-error",
            "2 call readUnread ada 500 internal-error", "4 call readUnread ada 200 unread-count"),
        Case(
            "what LivePerson could not redeem looks like a bad code", signIns, .notExercised,
            "0 call authenticateV2 ada 500 token-endpoint-unreachable", "0.1 call authenticateV2 ada 200 signed-in"),
        Case(
            "two refusals, and an error on the screen", "does-not-sign-in-in-a-loop", .pass, until: 3,
            "0 call authenticateV2 ada 500 bad-signature",
            "1 call authenticateV2 ada 500 bad-signature", "2 mark gave-up ada"),
        Case(
            "a window that opens again goes on with the schedule", signIns, .pass, failures("authenticateV2", at: [0, 1]),
            "1.5 mark window-closed ada",
            "3 call authenticateV2 ada 503 unavailable", "7 call authenticateV2 ada 200 signed-in"),
        Case(
            "a socket that was lost before it named its owner", "reconnects", .pass, socket,
            "5 end openConsumerSocket ada by=server socket=1",
            "8 call openConsumerSocket liveperson.openConsumerSocket 101 socket-opened socket=2",
            "9 end openConsumerSocket liveperson.openConsumerSocket by=server socket=2",
            "12 call openConsumerSocket ada 101 socket-opened socket=3"),
        Case(
            "the first of all was lost before it named its owner", "reconnects", .pass,
            "8 call openConsumerSocket liveperson.openConsumerSocket 101 socket-opened socket=2",
            "9 end openConsumerSocket liveperson.openConsumerSocket by=server socket=2",
            "12 call openConsumerSocket ada 101 socket-opened socket=3"),
        Case(
            "and the window is left instead", "reconnects", .excused,
            "8 call openConsumerSocket liveperson.openConsumerSocket 101 socket-opened socket=2",
            "9 end openConsumerSocket liveperson.openConsumerSocket by=server socket=2", "12 mark window-closed ada"),
        Case(
            "row 174 the registration is put off until the window opens", "counts-unread-after-the-registration", .notExercised,
            "0 mark started ada", #"1 call readUnread ada 200 unread-count told={"total":0}"#, socket,
            "6 call registerPush ada 201 push-registered \(device)"),
        Case(
            "row 174 after another start too, as long as there is no conversation", "registers-again-at-the-start", .notExercised,
            "0 mark started ada", "1 call authenticateV2 ada 200 signed-in", "2 call registerPush ada 201 push-registered \(device)",
            "50 mark started ada", "51 call authenticateV2 ada 200 signed-in"),
        Case(
            "row 32 the badge is the count, a push's, or 0 in the window", "shows-the-badge-it-was-told", .pass,
            #"1 call readUnread ada 200 unread-count told={"total":3}"#, "2 mark badge ada value=3",
            #"3 delivery deliverPush x 200 push-accepted body={"data":{"payload":{"badge":4}}}"#, "4 mark badge ada value=4", socket,
            "6 mark badge ada value=0"),
        Case(
            "signed out from outside, the app leaves the window and logs its user out", "reconnects", .excused, socket,
            "5 end openConsumerSocket ada code=4401 by=server socket=1", "5.1 mark window-closed ada",
            "5.2 call unregisterPush ada 204 push-unregistered"),
        Case(
            "the same, where the app leaves the window before the end of its socket is noticed", "reconnects", .notExercised, socket,
            "5 mark window-closed ada", "5.01 end openConsumerSocket ada code=4401 by=server socket=1",
            "5.2 call unregisterPush ada 204 push-unregistered"),
        Case(
            "who leaves the window alone signs nobody out", "reconnects", .excused, socket,
            "5 end openConsumerSocket ada code=4401 by=server socket=1", "5.1 mark window-closed ada",
            "90 call unregisterPush ada 204 push-unregistered"),
        Case(
            "nor is anything followed again", "catches-up-after-reconnecting", .excused, socket,
            "1 call subscribeEvents ada 200 events-subscribed", "5 end openConsumerSocket ada code=4401 by=server socket=1",
            "5.2 call unregisterPush ada 204 push-unregistered"),
        Case(
            "who has signed out is another visitor", "keeps-its-visitor-and-session", .notExercised,
            #"0 call fetchEngagement v 201 session-new query=vid=1 told={"sessionId":"s"}"#,
            "5 call unregisterPush ada 204 push-unregistered",
            #"9 call fetchEngagement v 201 session-new told={"sessionId":"t"}"#),
        Case(
            "the tablet signs in by InitConnection, and then the phone", "reconnects-with-the-same-token", .pass,
            "0 mark started ada device=phone", "0 mark started ada device=tablet", inline(1),
            "5 end openConsumerSocket ada by=server socket=1", inline(2, at: 6, "t2"), inline(3, at: 8)),
        Case(
            "the same token in InitConnection", "reconnects-with-the-same-token", .pass, inline(1),
            "5 end openConsumerSocket ada code=1001 by=server socket=1", inline(2, at: 6)),
        Case(
            "a registration that was given up after as many retries as the policy has", "registers-in-the-end", .pass,
            policies: ["retries": 3],
            failures("registerPush", at: [0, 1, 3, 7]), "8 mark gave-up ada", "20 mark signed-out ada"),
        Case(
            "a registration that is done at last, though late", "registers-in-the-end", .pass,
            failures("registerPush", at: [0, 30, 60, 90]), "120 call registerPush ada 201 push-registered \(device)"),
        Case(
            "D17 a call that was given up long before the process ended", "has-a-time-out", .pass,
            "0 call registerPush ada lost effect=STALL ordinal=7", "5 gave-up registerPush ada ordinal=7", "8 mark process-ended x"),
        Case(
            "the tablet's socket is not the phone's next", "reconnects-with-the-same-token", .pass, "0 mark started ada device=phone",
            "0 mark started ada device=tablet", socket, "5 end openConsumerSocket ada by=server socket=1",
            "6 call openConsumerSocket ada 101 socket-opened socket=2 auth=t2",
            "8 call openConsumerSocket ada 101 socket-opened socket=3 auth=t1"),
        Case(
            "three retries are enough where the policy has three", "registers-in-the-end", .pass, policies: ["retries": 3],
            failures("registerPush", at: [0, 1, 3, 7])),
        Case(
            "the tablet is another visitor", "keeps-its-visitor-and-session", .notExercised, "0 mark started ada device=phone",
            "0 mark started ada device=tablet", "1 call fetchEngagement ada 201 session-new told={\"sessionId\":\"s\"}",
            "2 call fetchEngagement ada 201 session-new told={\"sessionId\":\"t\"}"),
        Case(
            "D16 a bot retries by the pauses that LivePerson recommends", "bot-waits-before-it-retries", .pass,
            failures("agentLogin", at: [0, 5, 15, 30]), "150 call agentLogin ada 200 agent-logged-in"),
        Case(
            "D16 or by those that grow by a quarter", "bot-waits-before-it-retries", .pass,
            failures("agentLogin", at: [0, 5, 11.25, 19.1]), "29 call agentLogin ada 200 agent-logged-in"),
        Case(
            "D16 bots are not judged where an app calls beside them", "bot-does-not-reconnect-in-a-storm", .notExercised, inline(1),
            "1 call registerPush ada 201 push-registered body={\"pushType\":\"FCM\"}",
            (1...11).map { "\(1 + Double($0) / 6) call openAgentSocket bot 101 socket-opened socket=\($0 + 1)" }.joined(separator: "\n")),
        Case(
            "D16 another request is no retry", "bot-waits-before-it-retries", .pass,
            #"0 call sendRequest ada 503 unavailable body={"type":"ms.PublishEvent"}"#,
            #"1 call sendRequest ada 200 request-met body={"type":"cm.UpdateConversationField"}"#),
        Case(
            "D16 a bot's login is down for a while", "bot-reconnects", .excused, bot,
            "9 end openAgentSocket bot code=1011 by=server socket=1",
            failures("agentLogin", at: [9, 14, 24, 39, 159], "503 unavailable").replacing(" ada ", with: " bot ")),
        Case(
            "D16 a bot that got its bearer elsewhere", "bot-signs-in-anew", .notExercised, "0 call openAgentSocket bot 401 token-refused"),
        Case(
            "D16 a second is enough after 429", "bot-waits-before-it-retries", .notExercised,
            failures("agentLogin", at: [0, 1.2], "429 rate-limited")),
        Case(
            "D16 and a second it is", "bot-waits-a-second-after-429", .pass, failures("sendRequest", at: [0, 1, 2.1], "429 rate-limited")),
        Case(
            "D16 a bot reconnects at once, as LivePerson's examples do", "bot-reconnects", .pass, bot,
            "9 end openAgentSocket bot code=1011 by=server socket=1", "9.1 call openAgentSocket bot 101 socket-opened socket=2"),
        Case(
            "D16 its own process ends the socket", "bot-reconnects", .notExercised, bot,
            "9 end openAgentSocket bot code=1000 by=client socket=1"),
        Case(
            "a refresh that works does as well", "bot-signs-in-anew", .pass, "0 call agentLogin bot 200 agent-logged-in",
            "100 call openAgentSocket bot 401 token-refused", "101 call agentRefresh bot 200 session-refreshed",
            "102 call openAgentSocket bot 101 socket-opened"),
        Case(
            "D16 a session that ended is followed by a sign-in", "bot-signs-in-anew", .pass, "0 call agentLogin bot 200 agent-logged-in",
            "1 call openAgentSocket bot 401 token-refused",
            "5 call agentLogin bot 200 agent-logged-in"),
        Case(
            "D16 nothing of this applies to an app", "bot-reconnects", .notExercised, socket,
            "9 end openConsumerSocket ada by=server socket=1"),
        Case(
            "D16 a bot looks its services up as often as it likes", "stops-asking", .notExercised,
            (0..<9).map { "\($0) call lookUpService x 503 unavailable path=/s" }.joined(separator: "\n"),
            "20 call agentLogin bot 200 agent-logged-in"),
    ]
}
