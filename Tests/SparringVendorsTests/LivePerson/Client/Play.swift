import Support

/// The user's actions in a scenario.
struct Play: Sendable {
    enum Step: Sendable {
        case start, signIn, register, count, navigate
        case open, say([String]), agent([String]), read, photo, close
        case wait(Double), foreground, newToken, signOut
    }

    let scenario: String
    let way: ReferenceClient.SigningIn
    private(set) var speed: TestServer.Speed
    /// The TLS port that the app is configured with, by its defect.
    let port: String?
    let steps: [Step]

    /// - Parameter steps: between the app's start with its sign-in and its sign-out.
    init(
        _ scenario: String, _ way: ReferenceClient.SigningIn, on speed: TestServer.Speed = .pipeline, over port: String? = nil,
        _ steps: [Step] = []
    ) {
        (self.scenario, self.way, self.speed, self.port) = (scenario, way, speed, port)
        self.steps = [.start, .signIn, .register, .count] + steps + [.close, .signOut]
    }

    func on(_ speed: TestServer.Speed) -> Play {
        var play = self
        play.speed = speed
        return play
    }

    func run(_ client: ReferenceClient) async throws {
        for step in steps { try await client.take(step) }
    }
}

extension ReferenceClient {
    func take(_ step: Play.Step) async throws {
        switch step {
        case .start:
            try await stage.mark("started")
            try await initialize()
        case .signIn: _ = try await signIn()
        case .register: try await register()
        case .count: try await countUnread()
        case .navigate: try await navigate()
        case .open: try await openWindow()
        case .say(let texts): try await say(texts)
        case .agent(let texts):
            for text in texts { try await stage.agentSays(text) }
            try await keepUp()
            if !isWindowOpen { try await takePushes() }
        case .read: try await read()
        case .photo: try await sharePhoto()
        case .close: try await closeWindow()
        case .wait(let seconds): try await pass(seconds)
        case .foreground: try await comeToTheForeground()
        case .newToken: try await takeNewToken()
        case .signOut: try await signOut()
        }
    }
}
