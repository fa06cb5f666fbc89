internal import SparringJSON

extension ContractReader {
    /// `ignore`, `{ close: 1003 }` or `{ answer: { $ref: '#/channels/NAME/messages/KEY' } }` (`x-misunderstood`). An answer may have
    /// conditions: `having: [/kind, /id]`, the members that a message must have, and `unless: { /type: [Ping] }`, the values that it must not
    /// have. If a message does not meet them, the socket is closed with the code of `close`.
    func misunderstanding(_ node: YAMLNode?, _ channel: ChannelDraft) throws(ContractError) -> ChannelMisunderstanding {
        guard let node else { return .usual }
        if case .scalar = node.content {
            guard try string(node) == "ignore" else {
                throw error("x-misunderstood is 'ignore', 'close' with a code, or 'answer'", at: node)
            }
            return .ignore
        }
        let fields = try fields(node, of: "x-misunderstood", known: ["close", "answer", "having", "unless"])
        let isConditional = fields["having"] != nil || fields["unless"] != nil
        switch (fields["close"], fields["answer"]) {
        case (let close?, nil) where !isConditional: return .close(try closeCode(close))
        case (let close, let answer?) where (close != nil) == isConditional:
            let message = try message(answer, of: channel)
            return .answer(
                DeclaredAnswer(
                    name: message.answer?.text ?? message.name, status: nil, outcome: message.outcome ?? .refused,
                    mediaType: message.mediaType, headers: [], example: message.examples[0].value, schema: message.schema),
                having: try fields["having"].map(pointers) ?? [], unless: try fields["unless"].map(values) ?? [:],
                elseClose: try close.map(closeCode) ?? 1003)
        default: throw error("x-misunderstood has either 'close' or 'answer', or both with 'having' or 'unless'", at: node)
        }
    }

    private func pointers(_ node: YAMLNode) throws(ContractError) -> [JSONPointer] {
        var pointers: [JSONPointer] = []
        for item in try node.json().array ?? [] {
            guard let pointer = item.string.flatMap(JSONPointer.init) else { throw error("is not a list of JSON Pointers", at: node) }
            pointers.append(pointer)
        }
        guard !pointers.isEmpty else { throw error("is not a list of JSON Pointers", at: node) }
        return pointers
    }

    private func values(_ node: YAMLNode) throws(ContractError) -> [JSONPointer: [JSON]] {
        var found: [JSONPointer: [JSON]] = [:]
        for (name, value) in try node.json().object ?? [:] {
            guard let pointer = JSONPointer(name), let list = value.array, !list.isEmpty else {
                throw error("is not a mapping of JSON Pointers to lists of values", at: node)
            }
            found[pointer] = list
        }
        guard !found.isEmpty else { throw error("is not a mapping of JSON Pointers to lists of values", at: node) }
        return found
    }

    func closeCode(_ node: YAMLNode) throws(ContractError) -> UInt16 {
        guard let code = try node.json().integer(in: 1000...4999), ![1004, 1005, 1006].contains(code),
            !(1015..<3000).contains(code)
        else { throw error("is not a code that a close frame may have (RFC 6455 §7.4)", at: node) }
        return UInt16(code)
    }
}
