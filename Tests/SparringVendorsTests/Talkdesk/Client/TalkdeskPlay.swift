import Support

/// The events in a scenario of Talkdesk's.
struct TalkdeskPlay: Sendable {
    enum Step: Sendable {
        case start, interaction, say(String), read, end, wait(Double)
        /// An app asks the backend under test.
        case serve
    }

    let scenario: String
    let steps: [Step]

    private static let talk: [Step] = [.interaction, .say("Hello"), .read]
    /// The user tries again later.
    private static let again: [Step] = [.wait(20)] + talk + [.end]

    /// The plays of the app with its SDK.
    static let apps: [TalkdeskPlay] = [
        TalkdeskPlay(scenario: "token-expires-mid-interaction", steps: [.start] + talk + [.wait(90), .say("Still there?"), .read, .end]),
        TalkdeskPlay(
            scenario: "token-lifetime-changes",
            steps: [.start] + talk + [.wait(65), .say("Still there?"), .wait(40), .say("And now?"), .end]),
        TalkdeskPlay(
            scenario: "token-revoked-mid-interaction", steps: [.start] + talk + [.say("And now?"), .wait(25), .say("Thanks"), .end]),
        TalkdeskPlay(scenario: "gateway-refuses-every-token", steps: [.start, .interaction, .wait(30)]),
        TalkdeskPlay(scenario: "token-in-a-foreign-push", steps: [.start, .wait(20)] + talk + [.end]),
        TalkdeskPlay(scenario: "backend-denies", steps: [.start] + talk + again),
        TalkdeskPlay(scenario: "backend-answers-after-the-limit", steps: [.start] + talk + again),
        TalkdeskPlay(scenario: "backend-answers-late-enough", steps: [.start] + talk + [.end]),
        TalkdeskPlay(scenario: "client-assertion-with-a-wrong-key", steps: [.start] + talk + again),
        TalkdeskPlay(scenario: "assertion-signed-by-another-key", steps: [.start] + talk + again),
        TalkdeskPlay(scenario: "talkdesk-id-is-overloaded", steps: [.start] + talk + again + again),
    ]

    /// The plays of the backend.
    static let backends: [TalkdeskPlay] = [
        TalkdeskPlay(scenario: "client-assertion-with-a-wrong-key", steps: [.serve, .wait(20), .serve, .serve]),
        TalkdeskPlay(scenario: "talkdesk-id-is-overloaded", steps: [.serve, .serve, .wait(6), .serve, .wait(6), .serve]),
        TalkdeskPlay(scenario: "code-reused-at-talkdesk-id", steps: [.serve, .wait(5), .serve, .wait(5), .serve]),
    ]
}

extension AuthorizedApp {
    func take(_ step: TalkdeskPlay.Step) async throws {
        switch step {
        case .start: try await start()
        case .interaction: try await startInteraction()
        case .say(let text): try await say(text)
        case .read: try await read()
        case .end: try await end()
        case .wait(let seconds): try await stage.pass(seconds)
        case .serve: break
        }
    }
}
