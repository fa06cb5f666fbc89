import HTTPTypes
import SparringJSON
import Support

/// The socket: opened, spoken on, lost and opened again.
extension ReferenceClient {
    enum Response: Sendable {
        case answered(code: Int, JSON)
        /// The socket is over, or dead.
        case lost
    }

    /// Opens the socket with LivePerson's token; a refused token is renewed.
    func openLine() async throws -> Bool {
        guard !isStopped, token != nil else { return false }
        var opened: (any Line)?
        let target = "/ws_api/account/\(stage.scene.account)/messaging/consumer?v=3"
        let outcome = try await retrying(renew: { try await self.renew() }) {
            let (stage, token) = (self.stage, self.token ?? "")
            let line: Result<any Line, SocketRefused>? = try await stage.drive(timeOut: 45) {
                do { return .success(try await stage.open(target, headers: [("Authorization", "jwt \(token)")])) } catch let refused
                    as SocketRefused
                { return .failure(refused) }
            }
            switch line {
            case .success(let line):
                opened = line
                return .done(.null)
            case .failure(let refused): return Self.outcome(TestAnswer(status: refused.status, headers: [:], body: refused.body))
            case nil: return .unavailable(retryAfter: nil)
            }
        }
        guard let opened else {
            if case .refused = outcome { return false }
            isStopped = true
            try await giveUp()
            return false
        }
        (line, isFollowing, lastSent) = (opened, false, seconds)
        return true
    }

    func request(_ type: String, _ body: JSON) async throws -> Response {
        guard let line else { return .lost }
        lastID += 1
        let id = "r\(lastID)"
        line.send(["kind": "req", "id": .string(id), "type": .string(type), "body": body])
        lastSent = seconds
        var (left, watch) = (10.0, ClientStage.Watch())
        while true {
            var response: JSON?
            for event in try await line.arrived(isSettled: false) {
                if case .message(let message) = event, message["reqId"]?.string == id {
                    response = message
                } else {
                    try await take(event)
                }
            }
            if let response { return .answered(code: Int(response["code"]?.integer ?? 0), response["body"] ?? .null) }
            guard self.line != nil else { return .lost }
            if let wait = try await stage.hold(&watch) {
                let step = min(wait, left)
                try await rest(step)
                left -= step
                if left <= 0 {
                    line.drop()
                    try await ended(nil)
                    return .lost
                }
            } else {
                try await ClientStage.glance()
            }
        }
    }

    /// Handles the events that have come meanwhile.
    func takeArrivals() async throws {
        guard let line else { return }
        for event in try await line.arrived(isSettled: true) { try await take(event) }
    }

    private func take(_ event: SocketClient.Event) async throws {
        switch event {
        case .pong, .text: break
        case .closed(let code, _): try await ended(code)
        case .ended: try await ended(nil)
        case .message(let message): try await take(message)
        }
    }

    /// Notes how a socket ended; the consequences follow when it is opened again.
    private func ended(_ code: Int?) async throws {
        (line, isFollowing) = (nil, false)
        endings = try await stage.known(endings + 1)
        switch code {
        case 4401, 1011: (brandToken, token) = (nil, nil)
        case 4407: mustExtend = true
        default: break
        }
    }

    /// Closes the socket as an app that goes away would.
    func dropLine() async throws {
        guard let line else { return }
        (self.line, isFollowing) = (nil, false)
        line.close()
        endings = try await stage.known(endings + 1)
    }
}
