/// Bad habits of a company's app, which the good one takes on one at a time.
enum CompanyHabit: String, CaseIterable, Sendable {
    case callsBeforeTheSession, forgetsToIdentify, clearsTheAnonymousSession, bringsTheExpiredToken, neverRecovers, repeatsForEver
    case letsTheSessionEnd, keepsTheDeadSession, startsManySessions, usesAMailAddress
    case neverRegistersAgain, ignoresANewToken, forgetsToDeregister, changesTheUserOverARegistration, ignoresAFailedDeregistration
    case putsANameIntoTheToken, countsPushesItself, zeroesTheBadge, invertsTheLiveSign, showsForeignPushes, opensNothingFromAPush
    case keepsTheSocketOpen, opensAnOldURL, neverReopens, losesMessages, ignoresRetryAfter

    /// In which scenario it shows, and what is objected to there: these rules, and no others.
    var row: (scenario: String, objections: Set<String>) {
        switch self {
        case .callsBeforeTheSession: ("context-token-expired", ["starts-a-session-first"])
        case .forgetsToIdentify: ("chat-before-the-sign-in", ["identifies-the-user-who-signs-in"])
        case .clearsTheAnonymousSession: ("chat-before-the-sign-in", ["keeps-the-anonymous-session"])
        case .bringsTheExpiredToken: ("context-token-expired", ["brings-fresh-credentials"])
        case .neverRecovers: ("context-refused-for-good", ["recovers-from-an-expired-context", "has-a-session-in-the-end"])
        case .repeatsForEver: ("context-refused-for-good", ["repeats-an-expired-call-once"])
        case .letsTheSessionEnd: ("session-ends-in-chat", ["leaves-a-dead-session", "starts-another-session"])
        case .keepsTheDeadSession: ("session-ends-in-chat", ["leaves-a-dead-session"])
        case .startsManySessions: ("context-token-expired", ["starts-few-sessions"])
        case .usesAMailAddress: ("deregistration-fails", ["has-an-opaque-identifier"])
        case .neverRegistersAgain: ("context-token-expired", ["registers-the-device-at-each-start"])
        case .ignoresANewToken: ("device-token-renewed", ["registers-a-changed-token"])
        case .forgetsToDeregister: ("deregistration-forgotten", ["deregisters-before-the-user-changes", "leaves-nobodys-pushes-behind"])
        case .changesTheUserOverARegistration:
            ("deregistration-fails", ["deregisters-before-the-user-changes", "starts-no-session-over-a-registration"])
        case .ignoresAFailedDeregistration:
            ("deregistration-fails", ["deregisters-before-the-user-changes", "deregisters-in-the-end"])
        case .putsANameIntoTheToken: ("deregistration-fails", ["agrees-on-personal-data-in-tokens"])
        case .countsPushesItself: ("push-of-another-app", ["shows-the-number-that-it-was-told"])
        case .zeroesTheBadge: ("status-fails", ["shows-the-number-that-it-was-told"])
        case .invertsTheLiveSign: ("deregistration-fails", ["shows-whether-the-chat-is-live"])
        case .showsForeignPushes: ("push-of-another-app", ["takes-only-asapps-pushes"])
        case .opensNothingFromAPush: ("push-of-another-app", ["opens-the-chat-from-a-push"])
        case .keepsTheSocketOpen: ("deregistration-fails", ["closes-the-socket-with-the-chat"])
        case .opensAnOldURL: ("chat-socket-dropped", ["opens-a-socket-url-once"])
        case .neverReopens: ("chat-socket-dropped", ["opens-the-chat-socket-again"])
        case .losesMessages: ("chat-message-throttled", ["says-again-what-was-lost"])
        case .ignoresRetryAfter: ("chat-message-throttled", ["waits-as-asapp-asks"])
        }
    }
}
