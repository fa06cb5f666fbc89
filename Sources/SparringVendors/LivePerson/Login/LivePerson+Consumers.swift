import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Consumers as the admin API has them: listed, and signed out from LivePerson's side (the app flows' "any remote log out flow").
extension LivePerson {
    enum SignOutReason: String, Decodable {
        /// They signed in elsewhere.
        case anotherDevice = "another-device"
        /// As the app's own log-out does, which unregisters from pushes.
        case logOut = "log-out"
        case revoked

        /// Whether tokens that were given out before are refused from then on. After a log-out they hold until they expire, as LivePerson
        /// offers no way to revoke one (assumed, as is the rest).
        var revokesTokens: Bool { self != .logOut }
    }

    /// The body of `signOut`.
    private struct SignOut: Decodable {
        var consumer: String
        var reason: SignOutReason
    }

    func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let asked: SignOut = try request.body.decoded()
        let name = asked.consumer
        let sandbox = occasion.sandbox.id
        let consumers = try LivePersonState.consumers(called: name, sandbox, db)
        if consumers.isEmpty { throw try ConsumerNameState.unknown(name, sandbox, db) }
        try occasion.signsOut(name, db)
        let done = try consumers.flatMap { try signOut($0, for: asked.reason, occasion, db) }
        return Answer(
            "signed-out", ["done": .array(done.map { .string($0) })], cause: "\(name) was signed out: \(done.joined(separator: "; "))")
    }

    private func signOut(_ consumer: String, for reason: SignOutReason, _ occasion: Occasion, _ db: Database) throws -> [String] {
        let sandbox = occasion.sandbox.id
        var done: [String] = []
        for (socket, session) in Messaging(occasion, db).sockets(of: consumer) {
            let refusal = TokenRefusal.signedOut("\(socket.lane) was signed out: \(reason.rawValue)", isAnonymous: session.isAnonymous)
            occasion.outbox.close(socket, refusal.closeCode, Self.invalidToken, cause: refusal.asCause)
            done.append("socket \(socket.number) closed with \(refusal.closeCode)")
        }
        if done.isEmpty { done.append("no socket was open") }
        if reason.revokesTokens {
            try LivePersonState.signOut(consumer, sandbox, db)
            done.append("tokens given out before are refused")
        }
        if reason == .logOut {
            let registrations = try PusherState.registrations(of: consumer, sandbox, db)
            for registration in registrations {
                _ = try PusherState.unregister(consumer, app: registration.app, sandbox, db)
                done.append("unregistered \(registration.app) from device \(registration.device)")
            }
        }
        return done
    }
}
