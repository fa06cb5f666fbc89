import SparringJSON

/// Which conversations' rings a subscription to routing tasks wants (node-agent-sdk's first client: subscribeToRouting,
/// updateRoutingSubscription). Whose rings they are is no filter: an agent's socket has its own agent's alone.
struct RoutingFilter: Sendable {
    /// Nil: any.
    var skill: String?
    var conversation: String?

    init(_ body: JSON?) {
        // -1 is every skill (reference 5.7).
        skill = body?["skillId"]?.idText.flatMap { $0 == MessagingTerms.anySkill ? nil : $0 }
        conversation = body?["conversationId"]?.idText
    }

    func fits(_ conversation: Conversation) -> Bool {
        (skill ?? conversation.skill) == conversation.skill && (self.conversation ?? conversation.id) == conversation.id
    }

    /// For the journal.
    var words: String {
        let parts = [skill.map { "skill \($0)" }, conversation.map { "conversation \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "all rings" : "the rings of " + parts.joined(separator: ", ")
    }
}
