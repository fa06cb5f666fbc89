import HTTPTypes
import SparringJSON
import Support

/// The actions of a user of CXone's chat in a scenario.
struct ChatPlay: Sendable {
    enum Step: Sendable {
        case start, startAndLeave, view(String), open, openThread, say(String), sayInNewThread(String), agent(String), read, leave, end
        case wait(Double)
        /// Agents sign in.
        case goOnline
    }

    let scenario: String
    let modes: [ChatScene.Mode]
    let steps: [Step]

    private init(_ scenario: String, in modes: [ChatScene.Mode] = ChatScene.Mode.allCases, start: Step = .start, _ steps: [Step]) {
        (self.scenario, self.modes, self.steps) = (scenario, modes, [start] + steps)
    }

    /// Both say something.
    private static let talk: [Step] = [.open, .say("Hello"), .agent("say"), .read, .say("Thank you")]
    /// The app is closed, and opened again.
    private static let again: [Step] = [.start, .open, .say("It is me again"), .agent("say"), .read]
    private static let long = String(repeating: "It was a dark and stormy night. ", count: 120)

    /// Every shipped scenario of CXone's.
    static let all: [ChatPlay] = [
        ChatPlay("analytics-down", [.view("home"), .view("shoes")] + talk + [.view("basket"), .leave]),
        ChatPlay("background-during-prepare", start: .startAndLeave, talk),
        ChatPlay("code-expired-at-authorize", talk + again),
        ChatPlay("code-reused-at-authorize", talk + again),
        ChatPlay("configuration-fails", [.view("home")] + talk),
        ChatPlay("end-contact", in: [.live], talk + [.end, .say("One more thing"), .agent("say"), .read]),
        ChatPlay("end-contact-refused", in: [.live], talk + [.end, .say("One more thing"), .agent("say"), .read]),
        ChatPlay("form-before-the-first-message", talk + again),
        ChatPlay("gateway-drops-during-a-message", talk + [.wait(30)]),
        ChatPlay("heartbeat-unanswered", talk + [.wait(180), .say("Is anybody there?")]),
        ChatPlay("large-event-404", [.open, .say(long), .agent("say"), .say(long), .read] + again),
        ChatPlay("large-event-fetched", [.open, .say(long), .agent("say"), .say(long), .read] + again),
        ChatPlay("live-chat-offline", in: [.live], [.open, .wait(70), .open, .goOnline, .wait(70)] + talk),
        ChatPlay("message-refused", talk),
        ChatPlay("quiet-sockets-are-closed", talk + [.wait(60), .say("Is anybody there?")]),
        ChatPlay("recover-failed-is-no-failure", talk + again),
        ChatPlay("sdk-version-refused", [.view("home")] + talk + [.wait(60)] + again),
        ChatPlay("thread-closed-by-the-agent", talk + [.agent("close"), .say("One more thing"), .agent("say"), .read]),
        ChatPlay("token-expires-before-a-message", talk + [.wait(45), .say("I am back"), .agent("say"), .read]),
        ChatPlay("transaction-token-expires", talk + [.wait(60), .say("I am still here"), .leave]),
        ChatPlay("two-threads", in: [.multi], talk + [.sayInNewThread("Something else")] + [.start, .open, .openThread, .say("Me again")]),
        ChatPlay("visit-expires", [.view("home"), .wait(2400), .view("shoes"), .leave, .view("basket")] + talk),
        ChatPlay("visitor-update-cut", [.view("home")] + talk),
        ChatPlay("welcome-before-the-first-message", talk + again),
        ChatPlay("wrong-key-at-authorize", talk + again),
    ]
}

extension ChatClient {
    func take(_ step: ChatPlay.Step) async throws {
        switch step {
        case .start: try await start()
        case .startAndLeave: try await startAndLeave()
        case .view(let title): try await view(title)
        case .open: try await openChat()
        case .openThread: try await openThread()
        case .say(let text): try await say(text)
        case .sayInNewThread(let text): try await say(text, inNewThread: true)
        case .agent("say"): try await agent("say", ["text": "Good day"])
        case .agent(let operation): try await agent(operation)
        case .read: try await readAndType()
        case .leave: try await leaveAndReturn()
        case .end: try await endContact()
        case .wait(let seconds): try await wait(seconds)
        case .goOnline:
            let online: JSON = ["channelDefaults": ["availability": "online"]]
            try await stage.server.admin(.patch, "tenants/cxone", online, sandbox: stage.sandbox)
        }
    }
}
