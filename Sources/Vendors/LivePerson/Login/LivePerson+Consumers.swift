import SparringVendorKit

/// Consumers as the admin API has them: listed, and signed out from LivePerson's side (the app flows' "any remote log out flow").
extension LivePerson {
    enum SignOutReason: String, Decodable {
        /// They signed in elsewhere.
        case anotherDevice = "another-device"
        /// They logged out as with the app's own log-out, which unregisters from pushes.
        case logOut = "log-out"
        case revoked

        /// Whether tokens that were given out before are refused from then on. After a log-out they hold until they expire, as LivePerson
        /// offers no way to revoke one (assumed, as is the rest).
        var revokesTokens: Bool { self != .logOut }
    }

    func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let asked = try Aim(self, request, db).consumer()
        let name = request.body["consumer"]?.string ?? asked.name
        let reason: SignOutReason = try (request.body["reason"] ?? .null).decoded()
        try occasion.signsOut(name, db)
        // Two issuers may have the same name for two people.
        let done = try consumers(of: request.tenant, db).filter { [$0.id, $0.name].containsSame(as: name) }.flatMap {
            try signOut($0.id, for: reason, occasion, db)
        }
        return Answer("signed-out", done: done, heading: "\(name) was signed out: ")
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
