import SparringVendorKit

/// Somebody who chats with a company (ASAPP reference 2.7).
struct CompanyCustomer: Sendable {
    var company: String
    /// ASAPP's own.
    var id: String
    /// The company's own, opaque; nil: anonymous.
    var user: String?
    /// Messages that came since they last entered chat (ASAPP reference 2.5).
    var unread = 0
    var entered: Timestamp?
    var signIns = 0
    var signOuts = 0
    var lastSeen: Timestamp

    /// The brand's name for the customer; for an anonymous one ASAPP's id.
    var name: String { user ?? id }
}

/// A session of the SDK's.
struct ChatSession: Sendable {
    var token: String
    var company: String
    var customer: String
    /// In words: by which credentials it was opened.
    var credentials: String
    var expiresAt: Timestamp
    var isRevoked = false
}
