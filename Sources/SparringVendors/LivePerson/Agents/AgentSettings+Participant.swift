extension AgentSettings {
    var participant: Conversation.Participant { Conversation.Participant(id: pid, role: "ASSIGNED_AGENT") }
}
