import SparringVendorKit

/// The content of an agent's act, checked as if the agent's own client had sent it.
extension LivePerson {
    /// - Throws: where the contract of the agent's socket does not allow the text or the structured content, at the place in the act.
    func requireSound(_ act: DeskAct<Act>, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        guard let violation = checked(act)?.violations.first else { return }
        throw ConfigurationError(JSONPointer(tokens: pointer.tokens + Self.place(of: violation, in: act)), violation.message)
    }

    /// Applies the same check to what the agents' scripts will say.
    func requireSoundScripts(_ agents: [LivePerson.Agent]) throws(ConfigurationError) {
        for (index, agent) in agents.enumerated() {
            for step in agent.script?.steps ?? [] {
                let place = ["agents", String(index), AgentScript<Act>.member, String(step.number - 1), "do"]
                try requireSound(step.act, at: JSONPointer(tokens: place))
            }
        }
    }

    func remarks(on act: DeskAct<Act>) -> [String] {
        (checked(act)?.undeclared ?? []).map { "\(JSONPointer(tokens: Self.place(of: $0, in: act)).words): \($0.message)" }
    }

    private func checked(_ act: DeskAct<Act>) -> CheckedRequest? {
        let operation: Operation
        switch act.kind {
        case .say: operation = .agentPublishText
        case .card: operation = .agentPublishRichContent
        default: return nil
        }
        guard let event = act.event else { return nil }
        let message: JSON = ["kind": "req", "id": "1", "type": ".ams.ms.PublishEvent", "body": ["dialogId": "1", "event": event]]
        return contract.operation(operation.rawValue)?.check(message: message)
    }

    private static func place(of violation: Violation, in act: DeskAct<Act>) -> [String] {
        // Below /body/event, whose members are the act's own but for the text's.
        var tokens = Array((JSONPointer(violation.pointer) ?? .root).tokens.dropFirst(2))
        if tokens.first == "message" { tokens = ["text"] }
        // A list of titles has become buttons.
        if act.json["quickReplies"]?.array != nil, tokens.first == "quickReplies" {
            tokens = ["quickReplies"] + tokens.dropFirst(2).prefix(1)
        }
        return tokens
    }
}
