internal import HTTPTypes
internal import SparringJSON

extension ContractReader {
    /// Reads the operations into their channels.
    ///
    /// - Returns: those that the vendor receives, in the document's order.
    func messageOperations(
        _ node: YAMLNode, of channels: inout [ChannelDraft], besides http: [ContractOperation], in httpFile: String
    ) throws(ContractError) -> [ContractOperation] {
        var received: [ContractOperation] = []
        for entry in try entries(node) {
            try require(entry, spelled: .operationID, "operation")
            if let other = http.first(where: { $0.id == entry.key }) {
                throw error("operation '\(entry.key)' is already in \(httpFile):\(other.line)", at: entry)
            }
            let fields = try fields(
                entry.value, of: "an operation",
                known: [
                    "action", "channel", "title", "summary", "description", "tags", "messages", "reply", "x-fidelity", "x-source", "x-lane",
                    "x-stub", "x-rewrite",
                ])
            let index = try channelIndex(try fields.require("channel"), channels)
            let action = try fields.require("action")
            switch try string(action) {
            case "receive":
                let operation = try operation(entry, fields, of: &channels[index])
                received.append(operation)
            case "send": try message(entry, fields, of: &channels[index])
            default: throw error("action is receive (from a client) or send", at: action)
            }
        }
        return received
    }

    private func operation(
        _ entry: YAMLEntry, _ fields: YAMLFields, of channel: inout ChannelDraft
    ) throws(ContractError) -> ContractOperation {
        let spellings = try messages(try fields.require("messages"), of: channel)
        for (message, place) in spellings where message.isText && MessagePattern(message.schema).constant?.string == nil {
            throw error("a text/plain message that clients send needs a const: nothing else distinguishes it", at: place)
        }
        let (fidelity, source) = try footing(of: fields)
        let opener = channel.openers[0]
        let place = places.place(of: entry.value, shownAt: entry.place)
        let parameters = channel.openers.flatMap(\.parameters).map { PlacedParameter(parameter: $0, place: channel.entry.value) }
        let replies = try rewritten(
            try fields["reply"].map { reply throws(ContractError) in try answers(reply, of: channel) } ?? [], by: fields["x-rewrite"])
        let operation = ContractOperation(
            vendor: vendor, id: entry.key, tag: try messageTag(try fields.require("tags")), summary: try text(fields["summary"]),
            method: .get, template: opener.template, fidelity: fidelity, source: source, place: place,
            parameters: [],
            requestBody: ContractRequestBody(
                required: true,
                mediaTypes: spellings.map { ($0.message.mediaType, $0.message.schema, $0.message.examples.map { ($0.name, $0.value) }) },
                readLimit: nil, place: place),
            answers: replies, tenant: channel.tenant,
            lane: try sources(fields["x-lane"], parameters, body: nil, payload: spellings.map(\.message.schema)), queryDemands: [],
            jsonpCallback: nil,
            channel: channel.name, stub: try stub(fields["x-stub"], replies, parameters.map(\.parameter), hasBody: true))
        channel.received.append(operation)
        channel.examples[entry.key] = spellings.flatMap(\.message.examples)
        return operation
    }

    private func message(_ entry: YAMLEntry, _ fields: YAMLFields, of channel: inout ChannelDraft) throws(ContractError) {
        if let reply = fields["reply"] { throw error("nobody replies to a message that is sent here", at: reply) }
        for key in ["x-lane", "x-stub"] {
            if let node = fields[key] { throw error("\(key) is for a message that a client sends", at: node) }
        }
        let footing = try footing(of: fields)
        let tag = try messageTag(try fields.require("tags"))
        let summary = try text(fields["summary"])
        let message = try onlyMessage(try fields.require("messages"), of: channel)
        channel.sent.append(
            ContractMessage(
                vendor: vendor, id: entry.key, tag: tag, channel: channel.name, name: message.name, summary: summary,
                schema: message.schema, isText: message.isText, examples: message.examples.map { ($0.name, $0.value) }, footing: footing,
                unasked: message.examples.filter(\.isUnasked).map(\.value), line: entry.place.line,
                rewrite: try messageRewrite(fields["x-rewrite"], of: message)))
    }

    private func answers(_ reply: YAMLNode, of channel: ChannelDraft) throws(ContractError) -> [DeclaredAnswer] {
        let node = try fields(reply, of: "a reply", known: ["messages", "description"]).require("messages")
        var answers: [DeclaredAnswer] = []
        for element in try elements(node) {
            let message = try message(element, of: channel)
            guard let (name, place) = message.answer else { throw error("a message of a reply needs 'x-answer' or 'name'", at: element) }
            guard Spelling.answer.accepts(name) else {
                throw error("answer '\(name)' does not match \(Spelling.answer.text): give the message an x-answer", at: place)
            }
            guard !answers.contains(where: { $0.name == name }) else {
                throw error("the operation already has an answer '\(name)'", at: element)
            }
            let status = try status(of: message, at: channel.status)
            answers.append(
                DeclaredAnswer(
                    name: name, status: status, outcome: try outcome(of: message, status), mediaType: message.mediaType, headers: [],
                    example: message.examples[0].value, schema: message.schema))
        }
        guard !answers.isEmpty else { throw error("a reply needs at least one message", at: node) }
        return answers
    }

    private func messageTag(_ node: YAMLNode) throws(ContractError) -> String {
        let elements = try elements(node)
        guard elements.count == 1 else { throw error("an operation has exactly one tag", at: node) }
        let name = try fields(elements[0], of: "a tag", known: ["name", "description"]).require("name")
        let tag = try string(name)
        guard tags.contains(tag) else {
            throw error("tag '\(tag)' is not declared under info\(Nearest.hint(for: tag, in: tags.sorted()))", at: name)
        }
        return tag
    }

    // MARK: References

    private func channelIndex(_ node: YAMLNode, _ channels: [ChannelDraft]) throws(ContractError) -> Int {
        let reference = try reference(node)
        let prefix = "#/channels/"
        let name = reference.text.dropFirst(prefix.count)
        guard reference.text.hasPrefix(prefix), !name.isEmpty, !name.contains("/") else {
            throw error("$ref '\(reference.text)' must be #/channels/NAME", at: reference.place)
        }
        guard let index = channels.firstIndex(where: { $0.name == name }) else {
            let hint = Nearest.hint(for: String(name), in: channels.map(\.name))
            throw error("$ref '\(reference.text)' leads nowhere\(hint)", at: reference.place)
        }
        return index
    }

    private func messages(_ node: YAMLNode, of channel: ChannelDraft) throws(ContractError) -> [(message: MessageDraft, place: YAMLNode)] {
        let messages = try elements(node).map { element throws(ContractError) in
            (message: try message(element, of: channel), place: element)
        }
        guard !messages.isEmpty else { throw error("an operation needs at least one message", at: node) }
        return messages
    }

    private func onlyMessage(_ node: YAMLNode, of channel: ChannelDraft) throws(ContractError) -> MessageDraft {
        let messages = try messages(node, of: channel)
        guard messages.count == 1 else { throw error("a notification has exactly one message", at: node) }
        return messages[0].message
    }

    /// A message by way of its channel, which is how AsyncAPI's operations refer to them.
    func message(_ node: YAMLNode, of channel: ChannelDraft) throws(ContractError) -> MessageDraft {
        let reference = try reference(node)
        let prefix = "#/channels/\(channel.name)/messages/"
        guard reference.text.hasPrefix(prefix) else {
            throw error("$ref '\(reference.text)' must begin with \(prefix)", at: reference.place)
        }
        let key = String(reference.text.dropFirst(prefix.count))
        guard let message = channel.messages[key] else {
            let hint = Nearest.hint(for: key, in: channel.messages.keys.sorted())
            throw error("$ref '\(reference.text)' leads nowhere\(hint)", at: reference.place)
        }
        return message
    }

    private func reference(_ node: YAMLNode) throws(ContractError) -> (text: String, place: YAMLNode) {
        let place = try fields(node, of: "a $ref", known: ["$ref"]).require("$ref")
        return (try string(place), place)
    }
}
