import SparringVendorKit

/// Talkdesk's additions to the admin API beside its agents' acts.
extension Talkdesk {
    func adminHandler(of operation: OwnOperation) -> AdminHandler {
        switch operation {
        case .signOut: .act(in: lane, signOut)
        }
    }

    private func signOut(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let consumer = try Aim(self, request, db).consumer().name
        try occasion.signsOut(consumer, db)
        let (account, sandbox) = (request.tenant.id, request.sandbox.id)
        let access = try TalkdeskTokenState.revoke(of: consumer, account, at: occasion.now, sandbox, db)
        let refresh = try TalkdeskGrantState.revoke(of: consumer, account, at: occasion.now, sandbox, db)
        let done = [(access, "access token"), (refresh, "refresh token")].map { "\($0) \($1)\($0 == 1 ? "" : "s") revoked" }
        let reason = request.body["reason"]?.string.map { " (\($0))" } ?? ""
        return Answer("signed-out", done: done, heading: "\(consumer) was signed out\(reason): ")
    }
}
