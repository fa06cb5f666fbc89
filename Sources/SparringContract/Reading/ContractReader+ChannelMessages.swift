internal import SparringJSON

/// A message of a channel as its contract describes it.
struct MessageDraft {
    typealias Example = (name: String, value: JSON, isText: Bool, place: YAMLNode, isUnasked: Bool)

    /// `name`, else the key.
    let name: String
    /// `x-answer`, else `name`: what it is called as an answer. Nil where there is neither.
    let answer: (text: String, place: YAMLNode)?
    let outcome: AnswerOutcome?
    /// `application/json`, or `text/plain` for one that is the text of its frame as it stands.
    let mediaType: String
    let schema: Schema
    /// Never empty.
    let examples: [Example]

    var isText: Bool { mediaType == "text/plain" }
}

extension ContractReader {
    func channelMessages(_ node: YAMLNode) throws(ContractError) -> [String: MessageDraft] {
        var messages: [String: MessageDraft] = [:]
        for entry in try entries(node) {
            try require(entry, spelled: .component, "message")
            messages[entry.key] = try message(entry.value, key: entry.key)
        }
        return messages
    }

    func message(_ node: YAMLNode, key: String) throws(ContractError) -> MessageDraft {
        let (node, reference) = try resolved(node, section: "messages")
        if let reference, let known = messages[reference] { return known }
        let fields = try fields(
            node, of: "a message",
            known: ["name", "title", "summary", "description", "contentType", "payload", "examples", "x-answer", "x-outcome"])
        let mediaType = try contentType(fields["contentType"])
        let schema = try schema(try fields.require("payload"))
        try refuseMoves(of: schema, "a message", at: node)
        let name = try text(fields["name"])
        var answer: (String, YAMLNode)?
        if let place = fields["x-answer"] {
            answer = (try string(place, spelled: .answer, "answer"), place)
        } else if let place = fields["name"] {
            answer = (try string(place), place)
        }
        let message = MessageDraft(
            name: name ?? key, answer: answer, outcome: try outcome(fields["x-outcome"]), mediaType: mediaType, schema: schema,
            examples: try examples(try fields.require("examples"), of: key, schema, isText: mediaType == "text/plain"))
        if let reference { messages[reference] = message }
        return message
    }

    private func examples(_ node: YAMLNode, of key: String, _ schema: Schema, isText: Bool) throws(ContractError) -> [MessageDraft.Example]
    {
        var examples: [MessageDraft.Example] = []
        for (index, element) in try elements(node).enumerated() {
            let fields = try fields(element, of: "an example", known: ["name", "summary", "payload", "x-unasked"])
            let name = try text(fields["name"]) ?? String(index + 1)
            guard !examples.contains(where: { $0.name == name }) else {
                throw error("message '\(key)' already has an example '\(name)'", at: element)
            }
            let place = try fields.require("payload")
            // By the names that an overlay has given its members.
            let value = schema.onWire(try place.json())
            try verify(value, at: place, by: schema, "example '\(name)' of message '\(key)'")
            examples.append((name, value, isText, place, try bool(fields["x-unasked"])))
        }
        guard !examples.isEmpty else { throw error("a message needs an example", at: node) }
        return examples
    }

    /// The status that an answer carries where the channel's `x-status` points: its constant, else that of its example.
    func status(of message: MessageDraft, at pointer: JSONPointer?) throws(ContractError) -> Int? {
        guard let pointer else { return nil }
        let constant = pointer.tokens.reduce(Optional(message.schema)) { $0?.property($1) }?.constant
        guard let status = (constant ?? message.examples[0].value[pointer])?.integer else { return nil }
        guard (100...599).contains(status) else {
            throw error("\(status) is not a status", at: message.examples[0].place.nearest(to: pointer))
        }
        return Int(status)
    }

    func outcome(of message: MessageDraft, _ status: Int?) throws(ContractError) -> AnswerOutcome {
        guard let outcome = message.outcome ?? status.flatMap({ AnswerOutcome(status: $0) }) else {
            let because = status.map { ", because the meaning of \($0) varies" } ?? ""
            throw error(
                "message '\(message.name)' answers: it needs an x-outcome\(because)", at: message.answer?.place ?? message.examples[0].place
            )
        }
        return outcome
    }
}

extension Schema {
    /// The only value that the schema allows, if it has a constant.
    fileprivate var constant: JSON? { MessagePattern(self).constant }
}
