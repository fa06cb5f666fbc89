import SparringVendorKit

/// The authentication of calls.
extension ASAPP {
    private static let apiSecret = HTTPField.Name("asapp-api-secret")!

    /// Refuses a call that lacks the company's secret, where the company has one.
    func requireSecret(_ call: Call) throws {
        guard let secret = call.settings(of: self).secret else { return }
        guard let sent = call.header(Self.apiSecret), !sent.isEmpty else {
            throw Refusal("api-secret-missing", "asapp-api-secret is missing")
        }
        if !sent.isSame(as: secret) { throw Refusal("api-secret-refused", "asapp-api-secret is not the company's clientSecret") }
    }

    /// A handler of calls that need a session.
    func asCustomer(_ act: @escaping @Sendable (CompanyChat, Call) throws -> Decision) -> Handler {
        .decide { db, call in
            try requireSecret(call)
            let (_, customer) = try session(call, db)
            return try act(CompanyChat(call.occasion, db, vendor: self, customer: customer), call)
        }
    }

    /// The session that the call brings, and whose it is.
    func session(_ call: Call, _ db: Database) throws -> (ChatSession, CompanyCustomer) {
        let header = call.header(.authorization) ?? ""
        guard header.lowercased().hasPrefix("bearer ") else {
            throw Refusal("session-missing", "Authorization is missing, or not 'Bearer' with a session token")
        }
        let (company, sandbox) = (call.tenant.id, call.sandbox.id)
        guard let session = try ChatSessionState.session(header.credential, of: company, sandbox, db),
            let customer = try CompanyCustomerState.customer(session.customer, of: company, sandbox, db)
        else { throw Refusal("session-unknown", "there is no such session") }
        if session.isRevoked { throw Refusal("session-revoked", "\(customer.name) was signed out") }
        if call.now >= session.expiresAt {
            throw Refusal("session-expired", "the session expired \((call.now - session.expiresAt).words) ago")
        }
        return (session, customer)
    }
}
