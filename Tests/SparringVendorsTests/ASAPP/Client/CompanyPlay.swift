import HTTPTypes
import SparringJSON
import Support

/// The actions of a user of the company's app in a scenario.
struct CompanyPlay: Sendable {
    enum Step: Sendable {
        case open, device(String), signIn(String), signOut, enter, say(String), agent(String), leave, status, wait(Double), openPush
    }

    let scenario: String
    let steps: [Step]

    private init(_ scenario: String, _ steps: [Step]) { (self.scenario, self.steps) = (scenario, steps) }

    private static let talk: [Step] = [.enter, .say("Where is my parcel?"), .agent("It is on its way"), .say("Thank you"), .leave]
    private static let ada: [Step] = [.device("d-1"), .signIn("ada")]

    /// Every shipped scenario of ASAPP's.
    static let all: [CompanyPlay] = [
        CompanyPlay("deregistration-forgotten", ada + talk + [.signOut, .signIn("bob")] + talk + [.wait(180), .status]),
        CompanyPlay("endpoint-down", ada + [.wait(70), .status, .openPush, .leave]),
        CompanyPlay("endpoint-slow", ada + [.wait(75), .status, .openPush, .leave]),
        CompanyPlay("message-while-in-chat", ada + [.enter, .say("Hello"), .wait(65), .leave, .wait(120), .openPush, .leave]),
        CompanyPlay("push-sent-twice", ada + [.wait(65), .status, .openPush, .leave]),
        CompanyPlay("context-token-expired", ada + talk + [.open, .wait(70), .signOut]),
        CompanyPlay("context-refused-for-good", ada + [.wait(30)]),
        CompanyPlay("push-of-another-app", ada + [.wait(100), .openPush, .leave]),
        CompanyPlay("deregistration-fails", ada + talk + [.signOut, .signIn("bob"), .signOut]),
        CompanyPlay("session-ends-in-chat", ada + talk + [.wait(120), .status] + talk + [.wait(120), .open, .signOut]),
        CompanyPlay("status-fails", ada + [.wait(65), .status, .status, .openPush, .leave]),
        CompanyPlay("endpoint-called-by-a-stranger", ada + [.wait(70), .status, .openPush, .leave]),
        CompanyPlay("chat-message-throttled", ada + talk),
        CompanyPlay("chat-socket-dropped", ada + [.enter, .say("Hello"), .wait(60), .agent("Good day"), .leave]),
        CompanyPlay("chat-before-the-sign-in", [.device("d-1"), .open] + talk + [.open] + talk + [.signIn("ada")] + talk + [.signOut]),
        CompanyPlay("device-token-renewed", ada + [.wait(100), .agent("Hello"), .wait(130), .signOut]),
    ]
}

extension CompanyApp {
    func take(_ step: CompanyPlay.Step) async throws {
        switch step {
        case .open: try await open()
        case .device(let token): try await register(token)
        case .signIn(let name): try await signIn(name)
        case .signOut: try await signOut()
        case .enter: try await enterChat()
        case .say(let text): try await say(text)
        case .agent(let text): try await act("say", ["text": .string(text)])
        case .leave: try await leaveChat()
        case .status: try await readStatus()
        case .wait(let seconds): try await wait(seconds)
        case .openPush: try await openPush()
        }
    }
}
