import SparringVendorKit

/// Values of LivePerson's messaging that its settings, agents and conversations share.
enum MessagingTerms {
    /// Any skill (LivePerson reference 5.7).
    static let anySkill = "-1"

    /// Roles in which somebody of the brand takes part (LivePerson reference 5.9).
    static let agentRoles: Set = ["ASSIGNED_AGENT", "AGENT", "MANAGER", "READER"]

    /// The audience of an event that all may see. The other value, AGENTS_AND_MANAGERS, excludes the consumer (LivePerson reference 5.11).
    static let everybody = "ALL"

    /// Whether a consumer may see a change.
    static func isForEverybody(_ change: JSON) -> Bool { change["messageAudience"]?.string ?? everybody == everybody }

    /// Content types of secure forms.
    static let secureInvitation = "forms/secure-invitation"
    static let secureSubmission = "forms/secure-submission"

    /// Places of events in their dialog.
    static let sequences = 0...Int(Int32.max)
}
