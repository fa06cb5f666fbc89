import HTTPTypes
import SparringJSON
import Support

/// The actions of a user of Khoros in a scenario.
struct MessengerPlay: Sendable {
    enum Step: Sendable {
        case start, signIn(String), say(String), business(String), read, wait(Double), logOut, pushToken(String), openPushes
        /// The same user, on another device.
        case joinOnTablet
    }

    let scenario: String
    let steps: [Step]

    private init(_ scenario: String, _ steps: [Step]) { (self.scenario, self.steps) = (scenario, [.start] + steps) }

    private static let talk: [Step] = [.say("Hello"), .business("say"), .read, .say("Thank you")]
    /// The app is closed, and opened again.
    private static let again: [Step] = [.start, .say("It is me again"), .business("say"), .read]

    /// Every shipped scenario of Khoros'.
    static let all: [MessengerPlay] = [
        MessengerPlay("another-user-logs-in", [.pushToken("d-1"), .signIn("ada")] + talk + [.logOut, .signIn("bea")] + talk),
        MessengerPlay("anonymous-user-logs-in", talk + [.signIn("ada")] + talk + again),
        MessengerPlay("jwt-expires-mid-conversation", [.signIn("ada")] + talk + [.wait(100)] + talk + [.wait(100)] + again),
        MessengerPlay("jwt-with-a-wrong-key", [.signIn("ada")] + talk + again),
        MessengerPlay("login-overloaded", [.signIn("ada")] + talk + again),
        MessengerPlay("login-slow", [.signIn("ada")] + talk + [.logOut, .signIn("ada")] + talk),
        MessengerPlay(
            "push-from-another-sender", [.pushToken("d-1"), .signIn("ada")] + talk + [.wait(95), .openPushes, .read]),
        MessengerPlay("push-token-refused-once", [.signIn("ada")] + talk + [.pushToken("d-2"), .wait(20)] + again),
        MessengerPlay("realtime-dropped", [.signIn("ada")] + talk + [.wait(20), .business("say"), .wait(30), .read]),
        MessengerPlay("realtime-session-forgotten", [.signIn("ada")] + talk + [.wait(60), .business("say"), .read]),
        MessengerPlay("reauthentication-refused-five-times", [.signIn("ada"), .say("Hello"), .wait(90), .start, .wait(60)]),
        MessengerPlay("second-device-joins", [.signIn("ada")] + talk + [.joinOnTablet, .business("say"), .read]),
        MessengerPlay("subscription-refused", [.signIn("ada")] + talk + [.wait(10), .business("say"), .read] + again),
        MessengerPlay("user-made-by-the-first-message", [.signIn("ada"), .wait(30)] + talk + again),
    ]
}

extension MessengerClient {
    func take(_ step: MessengerPlay.Step) async throws {
        switch step {
        case .start: try await start()
        case .signIn(let name): try await signIn(name)
        case .say(let text): try await say(text)
        case .business("say"): try await business("say", ["text": "Good day"])
        case .business(let operation): try await business(operation)
        case .read: try await read()
        case .wait(let seconds): try await wait(seconds)
        case .logOut: try await logOut()
        case .pushToken(let token): try await take(pushToken: token)
        case .openPushes: try await openPushes()
        case .joinOnTablet:
            let tablet = MessengerClient(stage, platform == .ios ? .android : .ios, style, app: app, clientId: "device-2")
            for step in [.start, .signIn(user), .say("From the tablet"), .read] as [MessengerPlay.Step] { try await tablet.take(step) }
            try await takeArrivals()
            try await tablet.hangUp()
        }
    }
}
