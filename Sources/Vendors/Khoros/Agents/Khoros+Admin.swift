import SparringVendorKit

/// Khoros's additions to the admin API beside its agents' acts.
extension Khoros {
    func adminHandler(of operation: OwnOperation) -> AdminHandler {
        switch operation {
        case .issueAuthCode: .act(in: lane, issueAuthCode)
        }
    }

    private func issueAuthCode(_ db: Database, _ request: AdminRequest, _ occasion: Occasion) throws -> Answer {
        let user = try Aim(self, request, db).consumer()
        let lifetime: Duration = try (request.body["lifetime"] ?? .null).decoded()
        let code = AuthCodeState.Code(
            app: user.app, code: String(occasion.secret("auth code").hex.prefix(32)), user: user.id, expiresAt: occasion.now + lifetime)
        try AuthCodeState.insert(code, occasion.sandbox.id, db)
        try occasion.sandbox.issued(code.code, to: user.name, db)
        return Answer(
            "code-issued", ["code": .string(code.code), "expiresAt": .string(code.expiresAt.description)],
            cause: "an auth code for \(user.name)")
    }
}
