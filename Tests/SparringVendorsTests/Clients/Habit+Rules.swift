extension Habit {
    /// What the rules have against it.
    var breaks: Set<String> { Self.words(table.rules) }
    /// In which scenarios it shows.
    var shows: Set<String> { Self.words(table.scenarios) }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private var table: (rules: String, scenarios: String) {
        switch self {
        case .retriesAtOnce:
            (
                "backs-off-1-2-4-8-16s backs-off-its-sign-ins retries-after-3-10-30-90s honours-retry-after waits-a-second-after-429 "
                    + "waits-for-the-identity-provider",
                "brand-sign-in-fails-twice html-error-page-from-a-gateway pusher-down-for-good monitoring-down-for-good rate-limited-with-retry-after message-refused-as-too-many"
            )
        case .retriesForEver:
            (
                "backs-off-1-2-4-8-16s backs-off-its-sign-ins stops-after-the-fifth-retry retries-after-3-10-30-90s",
                "brand-token-endpoint-down-for-a-minute pusher-down-for-good unregister-lost monitoring-down-for-good wifi-login-page"
            )
        case .backsOffLinearly:
            (
                "backs-off-1-2-4-8-16s backs-off-its-sign-ins retries-after-3-10-30-90s",
                "pusher-down-for-31s socket-refused-for-31s html-error-page-from-a-gateway monitoring-down-for-good"
            )
        case .givesUpAfterTwoRetries:
            (
                "backs-off-1-2-4-8-16s backs-off-its-sign-ins retries-after-3-10-30-90s registers-in-the-end unregisters-in-the-end",
                "pusher-down-for-31s pusher-down-for-31s-by-the-clock html-error-page-from-a-gateway monitoring-down-for-good"
            )
        case .ignoresRetryAfter: ("honours-retry-after backs-off-its-sign-ins", "rate-limited-with-retry-after")
        case .callsTwice:
            ("retries-one-call-at-a-time backs-off-1-2-4-8-16s", "slow-network unread-count-fails-three-times answers-late-by-20s")
        case .waitsForEver:
            (
                "has-a-time-out has-a-time-out-for-the-handshake gives-up-a-silent-socket catches-up-after-a-silent-socket",
                "first-byte-never-comes tls-handshake-stalls half-open-socket"
            )
        case .trustsAnyCertificate: ("turns-away-from-a-bad-certificate", "certificate-expired certificate-for-another-host")
        case .startsOnce: ("tries-the-initialisation-once-more", "domain-lookup-fails-for-ever")
        case .asksAfterAFailedStart: ("stops-asking", "domain-lookup-fails-for-ever")
        case .registersBeforeTheStart: ("registers-after-the-initialisation", "duplicate-push unregister-answer-lost")
        case .registersWithoutCredentials:
            ("registers-with-credentials registers-in-the-end", "unread-count-fails-three-times duplicate-push")
        case .countsBeforeItRegisters:
            (
                "counts-unread-after-the-registration counts-the-unread-messages",
                "duplicate-push pusher-down-for-31s logged-out-on-another-device"
            )
        case .reusesTheCode:
            (
                "fetches-a-fresh-code never-brings-a-code-twice",
                "code-redeemed-answer-lost code-redeemed-answer-lost-at-the-brand code-reused-after-back-navigation reset-before-the-sign-in"
            )
        case .redeemsTheCodeAgain: ("redeems-a-code-once", "token-expired-at-sign-in")
        case .keepsItsFirstRefreshToken: ("uses-a-refresh-token-once", "token-expired-at-sign-in")
        case .bringsTheOldToken:
            (
                "fetches-a-fresh-token does-not-reconnect-in-a-storm",
                "token-expired-at-sign-in registration-refused-as-expired device-clock-slow-by-five-minutes logged-out-on-another-device"
            )
        case .signsInInALoop:
            ("does-not-sign-in-in-a-loop", "brand-clock-fast-by-five-minutes claim-missing key-rotated-at-midnight wrong-issuer")
        case .neverTells:
            (
                "tells-the-user-when-it-gives-up",
                "claim-missing brand-token-endpoint-down-for-a-minute key-rotated-at-midnight wifi-login-page"
            )
        case .keepsItsRedirectURIToItself: ("names-its-redirect-uri", "redirect-uri-with-trailing-slash")
        case .namesAnotherRedirectURI: ("names-a-registered-redirect-uri", "brand-tokens-without-a-signature")
        case .asksTheBrandTwice:
            ("asks-the-identity-provider-once-for-each-sign-in", "code-redeemed-answer-lost brand-tokens-without-a-signature")
        case .looksAtItsOwnClock: ("asks-the-identity-provider-once-for-each-sign-in", "device-clock-fast-by-five-minutes")
        case .sendsNoState: ("sends-a-state", "code-redeemed-answer-lost token-expired-at-sign-in")
        case .hasOneState: ("takes-another-state-each-time", "code-redeemed-answer-lost token-expired-at-sign-in")
        case .challengesPlainly: ("challenges-by-s256", "code-redeemed-answer-lost-at-the-brand brand-requires-pkce")
        case .verifiesWithoutChallenge: ("challenges-before-it-verifies", "code-redeemed-answer-lost-at-the-brand")
        case .beginsAnewAsNobody: ("extends-the-anonymous-identity reconnects", "anonymous-identity-must-be-extended")
        case .neverReconnects:
            (
                "reconnects reconnects-with-the-same-token catches-up-after-reconnecting extends-the-anonymous-identity "
                    + "gives-up-a-silent-socket catches-up-after-a-silent-socket publishes-what-was-lost",
                "socket-closed-1001-during-a-message socket-closed-1011-during-a-message token-expires-mid-conversation anonymous-identity-must-be-extended half-open-socket"
            )
        case .renewsWithoutNeed:
            (
                "reconnects-with-the-same-token",
                "socket-closed-1001-during-a-message socket-dropped-during-a-message answer-lost-after-a-message"
            )
        case .neverFollowsAgain:
            (
                "catches-up-after-reconnecting catches-up-after-a-silent-socket publishes-nothing-twice",
                "logged-out-on-another-device answer-lost-after-a-message half-open-socket"
            )
        case .asksFromTooFar:
            (
                "catches-up-after-reconnecting catches-up-after-a-silent-socket publishes-nothing-twice asks-for-what-is-missing",
                "logged-out-on-another-device token-expires-mid-conversation answer-lost-after-a-message half-open-socket "
                    + "message-never-distributed"
            )
        case .keepsNothingAlive: ("keeps-the-socket-alive", "silent-socket-dropped-after-a-minute")
        case .opensAnotherSocketForTheList: ("retries-on-the-same-socket", "conversation-list-fails-twice")
        case .sendsAgainWhatArrived: ("publishes-nothing-twice", "answer-lost-after-a-message")
        case .neverSendsAgain: ("publishes-what-was-lost", "socket-dropped-during-a-message socket-closed-1011-during-a-message")
        case .hurriesAfter429: ("waits-a-second-after-429", "message-refused-as-too-many")
        case .letsLaterOnesPass: ("publishes-in-order", "message-refused-as-too-many")
        case .leavesGaps: ("asks-for-what-is-missing", "message-never-distributed")
        case .showsAsTheyCome:
            ("shows-messages-in-the-order-of-their-sequence asks-for-what-is-missing", "messages-out-of-order message-never-distributed")
        case .uploadsToTheOldURL: ("asks-for-a-fresh-url", "upload-url-expires")
        case .publishesWhatIsNotThere: ("asks-for-a-fresh-url publishes-only-what-was-uploaded", "upload-url-expires")
        case .leavesTheSocketOpen:
            (
                "closes-the-socket-with-the-window keeps-the-socket-alive reconnects reconnects-with-the-same-token "
                    + "catches-up-after-reconnecting",
                "conversation-list-fails-twice socket-refused-for-31s push-never-arrives malformed-push"
            )
        case .neverCounts:
            (
                "counts-the-unread-messages asks-for-the-unread-count counts-what-was-never-pushed",
                "pusher-down-for-31s malformed-push push-never-arrives"
            )
        case .keepsTheOldPushToken: ("registers-a-new-push-token", "push-token-changes")
        case .takesOtherPushesForItsOwn: ("leaves-other-pushes-alone", "push-of-the-brands-own")
        case .showsAnotherBadge: ("shows-the-badge-it-was-told", "pusher-down-for-31s unread-count-fails-three-times")
        case .keepsNoVerifier: ("verifies-what-it-challenged", "brand-requires-pkce")
        case .unregistersAnotherApp: ("unregisters-before-signing-out", "conversation-list-fails-twice unregister-fails-twice-at-sign-out")
        case .bringsTheBrandsOldToken: ("fetches-a-fresh-token", "logged-out-on-another-device token-expires-mid-conversation")
        case .challengesWithoutVerifying: ("verifies-what-it-challenged", "brand-sign-in-fails-twice")
        case .leavesTheWindowAtAPush: ("keeps-the-open-socket", "push-while-in-chat")
        case .showsEveryPush: ("shows-a-push-once shows-no-push-for-what-was-read", "duplicate-push push-arrives-30s-late")
        case .trustsTheBadge: ("asks-for-the-unread-count counts-what-was-never-pushed", "stale-badge malformed-push push-never-arrives")
        case .forgetsToUnregister: ("unregisters-before-signing-out", "unregister-fails-twice-at-sign-out unregister-lost")
        case .unregistersOnce:
            (
                "unregisters-in-the-end unregisters-before-signing-out backs-off-1-2-4-8-16s",
                "unregister-fails-twice-at-sign-out unregister-answer-lost"
            )
        case .losesTheVisitor:
            ("reuses-the-visitor-id keeps-its-visitor-and-session", "monitoring-loads-the-account engagement-without-details")
        case .asksAgainForAnEngagement:
            ("goes-on-without-an-engagement retries-after-3-10-30-90s", "engagement-without-details monitoring-down-for-good")
        }
    }
}

extension Play {
    /// Of these each habit plays one besides, in turn.
    static let common = [
        "domain-lookup-fails-once", "code-expires-before-it-is-redeemed", "unread-count-fails-three-times", "push-while-in-chat",
        "token-expires-mid-conversation",
    ]
}
