import HTTPTypes
import SparringJSON
import Support
import Testing

extension Incident {
    static let bots = [
        Incident("bot-login-is-down") { stage async throws in
            for _ in 1...3 { #expect(try await stage.login() == 503) }
            #expect(try await stage.login() == 200)
        },
        Incident("bot-login-is-throttled") { stage async throws in
            for _ in 1...2 { #expect(try await stage.login() == 429) }
            #expect(try await stage.login() == 200)
        },
        Incident("bot-loses-its-socket", .socket) { stage async throws in
            let bearer = try await stage.messaging.bearer()
            for _ in 1...2 {
                let socket = try await stage.messaging.agentSocket(bearer: bearer)
                #expect(try await socket.isAlive())
                try await stage.advance("10s")
                try await stage.expectEnd(of: socket, code: 1001)
            }
            let third = try await stage.messaging.agentSocket(bearer: bearer)
            try await stage.pass(60, with: third)
            #expect(try await third.isAlive())
        },
        Incident("bot-session-ends", .socket) { stage async throws in
            let bearer = try await stage.messaging.bearer()
            let socket = try await stage.messaging.agentSocket(bearer: bearer)
            #expect(try await socket.isAlive())
            try await stage.advance("60s")
            try await stage.expectEnd(of: socket, code: 4401)
            await #expect(throws: SocketClient.Refused.self) { try await stage.messaging.agentSocket(bearer: bearer) }
            #expect(try await stage.messaging.agentSocket(bearer: stage.messaging.bearer()).isAlive())
        },
    ]
}

extension Stage {
    /// - Returns: the status of an agent's login.
    fileprivate func login() async throws -> Int {
        try await server.send(.post, MessagingScene.login, json: ["username": "agent", "password": "agent-secret"]).status
    }

    fileprivate func expectEnd(of socket: SocketClient, code: Int) async throws {
        guard case .closed(code: let closed, _) = try await socket.end() else {
            Issue.record("no close frame came")
            return
        }
        #expect(closed == code)
    }
}
