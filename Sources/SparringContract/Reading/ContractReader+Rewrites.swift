internal import HTTPTypes
internal import SparringJSON

/// `x-rewrite`: what goes over the wire in place of what Sparring's code makes.
extension ContractReader {
    /// The answers of an operation with the changes that it names for them.
    ///
    /// - Parameter node: a mapping from answers' names; nil: nothing changes.
    func rewritten(_ answers: [DeclaredAnswer], by node: YAMLNode?) throws(ContractError) -> [DeclaredAnswer] {
        guard let node else { return answers }
        var answers = answers
        for entry in try entries(node) {
            guard let index = answers.firstIndex(where: { $0.name == entry.key }) else {
                let hint = Nearest.hint(for: entry.key, in: answers.map(\.name))
                throw error("x-rewrite: the operation has no answer '\(entry.key)'\(hint)", at: entry)
            }
            let rewrite = try answerRewrite(entry.value, of: answers[index])
            let answer = DeclaredAnswer(answers[index], rewrite)
            if let example = answer.example { try verify(example, at: entry.value, by: answer.schema, "x-rewrite of '\(answer.name)'") }
            answers[index] = answer
        }
        return answers
    }

    private func answerRewrite(_ node: YAMLNode, of answer: DeclaredAnswer) throws(ContractError) -> AnswerRewrite {
        let known = answer.status == nil ? ["body"] : ["status", "type", "headers", "body"]
        let fields = try fields(node, of: "the rewrite of an answer", known: known)
        var rewrite = AnswerRewrite()
        if let node = fields["status"] {
            guard let status = try node.json().integer(in: 200...599) else { throw error("is not a status from 200 to 599", at: node) }
            rewrite.status = status
        }
        if let node = fields["type"] {
            rewrite.mediaType = try string(node)
            guard let type = rewrite.mediaType, Spelling.mediaType.accepts(MediaTypes.essence(of: type)) else {
                throw error("is not a media type", at: node)
            }
        }
        for entry in try entries(fields["headers"]) {
            guard Spelling.fieldName.accepts(entry.key), let name = HTTPField.Name(entry.key) else {
                throw error("header '\(entry.key)' does not match \(Spelling.fieldName.text)", at: entry)
            }
            let value = try entry.value.json()
            rewrite.headers.append((name, value == .null ? nil : value.string ?? value.text))
        }
        rewrite.body = try bodyRewrite(fields["body"])
        return rewrite
    }

    /// - Parameter node: nil: the message is sent as Sparring's code has made it.
    func messageRewrite(_ node: YAMLNode?, of message: MessageDraft) throws(ContractError) -> MessageRewrite? {
        guard let node else { return nil }
        let fields = try fields(node, of: "the rewrite of a message", known: ["body", "times", "after"])
        var rewrite = MessageRewrite(body: try bodyRewrite(fields["body"]))
        guard !rewrite.body.removesAll else { throw error("a message without a body is none: 'times: 0' keeps it back", at: node) }
        if let node = fields["times"] {
            guard let times = try node.json().integer(in: 0...100) else { throw error("is not a number from 0 to 100", at: node) }
            rewrite.times = times
        }
        if let node = fields["after"] { rewrite.after = try string(node, spelled: .operationID, "message") }
        for example in message.examples {
            guard let changed = rewrite.body.applied(to: example.value) else { continue }
            try verify(changed, at: node, by: message.schema, "x-rewrite of example '\(example.name)'")
        }
        return rewrite
    }

    private func bodyRewrite(_ node: YAMLNode?) throws(ContractError) -> BodyRewrite {
        BodyRewrite(edits: try elements(node).map { element throws(ContractError) in try edit(element) })
    }

    private func edit(_ node: YAMLNode) throws(ContractError) -> BodyRewrite.Edit {
        let fields = try fields(node, of: "a change of a body", known: ["target", "value", "remove", "type"])
        let target = try fields.require("target")
        let text = try string(target)
        let path: JSONPath
        do throws(JSONPathError) { path = try JSONPath(text) } catch {
            throw self.error("'\(text)' is not a JSONPath: \(error)", at: target)
        }
        var changes: [BodyRewrite.Change] = []
        if let value = fields["value"] { changes.append(.put(try value.json())) }
        if try bool(fields["remove"]) { changes.append(.remove) }
        if let type = fields["type"] {
            let word = try string(type)
            let words = JSONTypes.words.map(\.word)
            guard words.contains(word) else { throw error("type '\(word)' is not one of \(words.joined(separator: ", "))", at: type) }
            changes.append(.convert(word))
        }
        guard changes.count == 1 else { throw error("a change of a body has 'value', 'type' or 'remove: true'", at: node) }
        return BodyRewrite.Edit(target: path, change: changes[0])
    }

    /// The codes with which sockets of a channel are closed, by those that Sparring's code has.
    func closeCodes(_ node: YAMLNode?) throws(ContractError) -> [UInt16: UInt16] {
        guard let node else { return [:] }
        var codes: [UInt16: UInt16] = [:]
        for entry in try entries(try fields(node, of: "the rewrite of a channel", known: ["close"]).require("close")) {
            codes[try closeCode(YAMLNode(content: .scalar(entry.key, isPlain: true), place: entry.place))] = try closeCode(entry.value)
        }
        return codes
    }

    /// Each message comes after another one of its channel.
    func verifyOrder(of channel: ChannelDraft) throws(ContractError) {
        let names = channel.sent.map(\.id)
        for message in channel.sent {
            guard let after = message.rewrite?.after else { continue }
            guard after != message.id, names.contains(after) else {
                let hint = Nearest.hint(for: after, in: names.filter { $0 != message.id })
                throw ContractError(
                    file: message.schema.place.file, line: message.line,
                    message: "x-rewrite: '\(after)' is not another message that is sent on channel '\(channel.name)'\(hint)")
            }
        }
    }
}
