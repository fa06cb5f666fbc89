import SparringVendorKit

/// The conversations whose rings a subscription to routing tasks asks for (node-agent-sdk's first client: subscribeToRouting,
/// updateRoutingSubscription). There is no filter by agent: a socket gets only the rings of its own agent.
struct RoutingFilter: Sendable {
    /// Nil: any skill.
    var skill: String?
    /// Nil: any conversation.
    var conversation: String?

    init(_ body: JSON?) {
        // -1 is every skill (LivePerson reference 5.7).
        skill = body?["skillId"]?.idText.flatMap { $0 == MessagingTerms.anySkill ? nil : $0 }
        conversation = body?["conversationId"]?.idText
    }

    func fits(_ conversation: Conversation) -> Bool {
        (skill ?? conversation.skill) == conversation.skill && (self.conversation ?? conversation.id) == conversation.id
    }

    /// The filter in words, for the journal.
    var words: String {
        let parts = [skill.map { "skill \($0)" }, conversation.map { "conversation \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "all rings" : "the rings of " + parts.joined(separator: ", ")
    }
}
