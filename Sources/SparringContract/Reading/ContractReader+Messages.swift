internal import HTTPTypes
internal import SparringJSON

/// An answer before its status is known: a response may be a component that several statuses share.
struct AnswerDraft {
    var name: String
    var place: YAMLNode
    /// Nil: what the status says.
    var outcome: AnswerOutcome?
    var mediaType: String?
    var headers: [DeclaredAnswer.Header]
    var example: JSON?
    var schema: Schema?
}

extension ContractReader {
    /// Nil where there is no node.
    func requestBody(_ node: YAMLNode?) throws(ContractError) -> ContractRequestBody? {
        guard let node else { return nil }
        let resolved = try resolved(node, section: "requestBodies").node
        let fields = try fields(resolved, of: "a requestBody", known: ["required", "description", "content", "x-read-limit"])
        var mediaTypes: [ContractRequestBody.MediaType] = []
        for entry in try entries(try fields.require("content")) {
            guard Spelling.mediaType.accepts(entry.key) else { throw error("'\(entry.key)' is not a media type", at: entry) }
            let media = try self.fields(entry.value, of: "a media type", known: ["schema", "examples", "example"])
            let schema = try schema(ifPresent: media["schema"])
            var examples: [(name: String, value: JSON)] = []
            if let single = media["example"] {
                guard media["examples"] == nil else { throw error("'example' and 'examples' cannot be used together", at: single) }
                let value = try single.json()
                try verify(value, at: single, by: schema, "example of the request")
                examples.append(("example", value))
            }
            for entry in try entries(media["examples"]) {
                let (made, place, outcome) = try example(entry.value)
                let value = schema?.onWire(made) ?? made
                if outcome != nil { throw error("x-outcome is for an answer, and this is a request", at: entry) }
                try verify(value, at: place, by: schema, "example '\(entry.key)' of the request")
                examples.append((entry.key, value))
            }
            mediaTypes.append((entry.key, schema, examples))
        }
        guard mediaTypes.contains(where: { !$0.examples.isEmpty }) else { throw error("a requestBody needs an example", at: node) }
        let readLimit = try fields["x-read-limit"].map { node throws(ContractError) in try byteCount(node) }
        return ContractRequestBody(
            required: try bool(fields["required"]), mediaTypes: mediaTypes, readLimit: readLimit, place: places.place(of: resolved))
    }

    private func byteCount(_ node: YAMLNode) throws(ContractError) -> Int {
        guard case .integer(let count) = try node.json(), count > 0 else { throw error("must be a number of bytes", at: node) }
        return Int(count)
    }

    func answers(responses: YAMLNode) throws(ContractError) -> [DeclaredAnswer] {
        var answers: [DeclaredAnswer] = []
        for entry in try entries(responses) {
            guard Spelling.status.accepts(entry.key), let status = Int(entry.key) else {
                throw error("status '\(entry.key)' does not match \(Spelling.status.text)", at: entry)
            }
            for draft in try self.answers(entry.value) {
                guard !answers.contains(where: { $0.name == draft.name }) else {
                    throw error("the operation already has an answer '\(draft.name)'", at: draft.place)
                }
                answers.append(
                    DeclaredAnswer(
                        name: draft.name, status: status, outcome: try outcome(of: draft, status), mediaType: draft.mediaType,
                        headers: draft.headers, example: draft.example,
                        schema: draft.schema))
            }
        }
        guard !answers.isEmpty else { throw error("an operation needs at least one response", at: responses) }
        return answers
    }

    private func outcome(of draft: AnswerDraft, _ status: Int) throws(ContractError) -> AnswerOutcome {
        guard let outcome = draft.outcome ?? AnswerOutcome(status: status) else {
            throw error(
                "answer '\(draft.name)' needs an x-outcome, on its response or its example: the meaning of \(status) varies",
                at: draft.place)
        }
        return outcome
    }

    /// Nil where there is no node.
    func outcome(_ node: YAMLNode?) throws(ContractError) -> AnswerOutcome? {
        guard let node else { return nil }
        let word = try string(node)
        guard let outcome = AnswerOutcome(rawValue: word) else {
            let words = AnswerOutcome.allCases.map(\.rawValue)
            throw error("x-outcome '\(word)' is not one of \(words.joined(separator: ", "))", at: node)
        }
        return outcome
    }

    /// The answers of one response: one for each example, or one without content.
    func answers(_ node: YAMLNode) throws(ContractError) -> [AnswerDraft] {
        let (node, reference) = try resolved(node, section: "responses")
        if let reference, let known = responses[reference] { return known }
        let fields = try fields(node, of: "a response", known: ["description", "headers", "content", "x-name", "x-outcome"])
        _ = try string(try fields.require("description"))
        let headers = try entries(fields["headers"]).map { entry throws(ContractError) in
            guard Spelling.fieldName.accepts(entry.key), HTTPField.Name(entry.key) != nil else {
                throw error("header '\(entry.key)' does not match \(Spelling.fieldName.text)", at: entry)
            }
            return try header(entry.key, entry.value)
        }
        let outcome = try outcome(fields["x-outcome"])
        var answers: [AnswerDraft]
        if let content = fields["content"] {
            if let name = fields["x-name"] {
                throw error("x-name is for a response without content; with content each example names an answer", at: name)
            }
            answers = try self.answers(content: content, headers: headers)
            for index in answers.indices { answers[index].outcome = answers[index].outcome ?? outcome }
        } else {
            let name = try fields.require("x-name")
            answers = [AnswerDraft(name: try string(name, spelled: .answer, "answer"), place: name, outcome: outcome, headers: headers)]
        }
        if let reference { responses[reference] = answers }
        return answers
    }

    private func answers(content: YAMLNode, headers: [DeclaredAnswer.Header]) throws(ContractError) -> [AnswerDraft] {
        var answers: [AnswerDraft] = []
        for entry in try entries(content) {
            guard MediaTypes.ofAnswers.contains(entry.key) else {
                throw error("unknown media type '\(entry.key)'\(Nearest.hint(for: entry.key, in: MediaTypes.ofAnswers))", at: entry)
            }
            let media = try fields(entry.value, of: "a media type", known: ["schema", "examples"])
            let schema = try schema(ifPresent: media["schema"])
            try refuseMoves(of: schema, "an answer", at: entry.value)
            for named in try entries(try media.require("examples")) {
                let place = YAMLNode(content: .scalar(named.key, isPlain: false), place: named.place)
                let name = try string(place, spelled: .answer, "answer")
                let (made, valuePlace, outcome) = try example(named.value)
                // By the names that an overlay has given its members.
                let value = schema?.onWire(made) ?? made
                try verify(value, at: valuePlace, by: schema, "example '\(name)'")
                answers.append(
                    AnswerDraft(
                        name: name, place: place, outcome: outcome, mediaType: entry.key, headers: headers, example: value, schema: schema))
            }
        }
        guard !answers.isEmpty else { throw error("content without an example declares no answer", at: content) }
        return answers
    }

    func example(_ node: YAMLNode) throws(ContractError) -> (value: JSON, place: YAMLNode, outcome: AnswerOutcome?) {
        let node = try resolved(node, section: "examples").node
        let fields = try fields(node, of: "an example", known: ["summary", "description", "value", "x-outcome"])
        let value = try fields.require("value")
        return (try value.json(), value, try outcome(fields["x-outcome"]))
    }

    func header(_ name: String, _ node: YAMLNode) throws(ContractError) -> DeclaredAnswer.Header {
        let node = try resolved(node, section: "headers").node
        let fields = try fields(node, of: "a header", known: ["description", "required", "schema", "example"])
        let schema = try schema(try fields.require("schema"))
        var example: JSON?
        if let place = fields["example"] {
            let value = try place.json()
            try verify(value, at: place, by: schema, "example of header '\(name)'")
            example = value
        }
        return (name, try bool(fields["required"]), schema, example)
    }
}
