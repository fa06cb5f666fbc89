import SparringJSON

internal import HTTPTypes

extension ContractReader {
    private static let methods = ["get", "put", "post", "delete", "patch", "head", "options"]

    func operations(_ paths: YAMLNode) throws(ContractError) -> [ContractOperation] {
        var operations: [ContractOperation] = []
        var (ids, tools): ([String: Int], [String: Int]) = ([:], [:])
        for path in try entries(paths) {
            let template = try template(path)
            let item = try fields(path.value, of: "a path", known: Self.methods + ["parameters", "summary", "description"])
            let shared = try parameters(item["parameters"])
            for entry in item.entries where Self.methods.contains(entry.key) {
                let operation = try operation(entry, path: path, template: template, shared: shared)
                if let line = ids.updateValue(operation.line, forKey: operation.id) {
                    throw ContractError(
                        file: operation.file, line: operation.line,
                        message: "operationId '\(operation.id)' is already taken at line \(line)")
                }
                if let name = operation.tool?.name, let line = tools.updateValue(operation.line, forKey: name) {
                    throw ContractError(
                        file: operation.file, line: operation.line, message: "the tool '\(name)' is already declared at line \(line)")
                }
                operations.append(operation)
            }
        }
        return operations
    }

    /// The path without the fragment, which only distinguishes two keys of one path.
    private func template(_ path: YAMLEntry) throws(ContractError) -> PathTemplate {
        do {
            return try PathTemplate(String(path.key.prefix { $0 != "#" }))
        } catch {
            throw self.error("path '\(path.key)' \(error.reason)", at: path)
        }
    }

    private func operation(
        _ entry: YAMLEntry, path: YAMLEntry, template: PathTemplate, shared: [PlacedParameter]
    ) throws(ContractError) -> ContractOperation {
        let fields = try fields(
            entry.value, of: "an operation",
            known: [
                "operationId", "summary", "description", "tags", "parameters", "requestBody", "responses", "deprecated", "externalDocs",
                "x-fidelity", "x-source", "x-tenant", "x-lane", "x-query", "x-open-query", "x-jsonp", "x-effects",
                "x-commands", "x-tool", "x-stub", "x-rewrite",
            ])
        let id = try fields.require("operationId")
        let name = try string(id, spelled: .operationID, "operationId")
        let tag = try tag(try fields.require("tags"))
        let (fidelity, source) = try footing(of: fields)
        _ = try bool(fields["deprecated"])
        try externalDocs(fields["externalDocs"])

        let own = try parameters(fields["parameters"])
        let parameters = shared.filter { inherited in !own.contains { $0.overrides(inherited) } } + own
        try verify(parameters, of: template, path: path)
        let requestBody = try requestBody(fields["requestBody"])
        let answers = try rewritten(try answers(responses: try fields.require("responses")), by: fields["x-rewrite"])
        let jsonpCallback = try fields["x-jsonp"].map { node throws(ContractError) in
            try declaredQueryParameter(node, parameters)
        }
        let bodies = requestBody.map { $0.mediaTypes.compactMap(\.schema) }
        // Only assistants need tools, and theirs is a reading of its own.
        let tool = try (isChecked ? nil : fields["x-tool"]).map { node throws(ContractError) in
            try self.tool(node, of: fields, parameters, reads: entry.key == "get")
        }
        if let stub = fields["x-stub"], ContractOperation.isOwn(path: template.text) {
            throw error("x-stub is for operations of vendors, and this one is Sparring's own", at: stub)
        }
        let (tenantSources, isByHost) = try splitHost(fields["x-tenant"])
        return ContractOperation(
            vendor: vendor, id: name, tag: tag,
            summary: try text(fields["summary"]), method: HTTPRequest.Method(entry.key.uppercased())!, template: template,
            fidelity: fidelity,
            source: source, place: places.place(of: entry.value, shownAt: id.place), parameters: parameters.map(\.parameter),
            requestBody: requestBody, answers: answers,
            tenant: try self.tenantSources(tenantSources, parameters, body: bodies), hostNamesTenant: isByHost,
            lane: try sources(fields["x-lane"], parameters, body: bodies),
            queryDemands: try queryDemands(fields["x-query"]), isQueryOpen: try bool(fields["x-open-query"]), jsonpCallback: jsonpCallback,
            effects: try effects(fields["x-effects"]),
            commands: try commands(fields["x-commands"], parameters.map(\.parameter), requestBody), tool: tool,
            stub: try stub(fields["x-stub"], answers, parameters.map(\.parameter), hasBody: requestBody != nil),
            aliases: try aliases(of: template, at: path))
    }

    func text(_ node: YAMLNode?) throws(ContractError) -> String? {
        guard let node else { return nil }
        return try string(node)
    }

    private func tag(_ node: YAMLNode) throws(ContractError) -> String {
        let elements = try elements(node)
        guard elements.count == 1 else { throw error("an operation has exactly one tag", at: node) }
        let tag = try string(elements[0])
        guard tags.contains(tag) else {
            throw error(
                "tag '\(tag)' is not declared under the document's tags\(Nearest.hint(for: tag, in: tags.sorted()))", at: elements[0]
            )
        }
        return tag
    }

    /// How far an operation can be relied on, and what that rests on.
    func footing(of fields: YAMLFields) throws(ContractError) -> (Fidelity, source: String) {
        let fidelity = try fidelity(try fields.require("x-fidelity"))
        let source = try fields.require("x-source")
        guard try !string(source).isEmpty else { throw error("x-source must name the source of the operation", at: source) }
        return (fidelity, try string(source))
    }

    func fidelity(_ node: YAMLNode) throws(ContractError) -> Fidelity {
        let word = try string(node)
        guard let fidelity = Fidelity(rawValue: word) else {
            let words = Fidelity.allCases.map(\.rawValue)
            throw error("x-fidelity '\(word)' is not one of \(words.joined(separator: ", "))", at: node)
        }
        return fidelity
    }

    /// Each parameter of the template is declared, and the other way round.
    private func verify(_ parameters: [PlacedParameter], of template: PathTemplate, path: YAMLEntry) throws(ContractError) {
        let names = template.parameters
        for placed in parameters where placed.parameter.location == .path && !names.contains(placed.parameter.name) {
            let hint = Nearest.hint(for: placed.parameter.name, in: names)
            throw error("path parameter '\(placed.parameter.name)' is not in the path\(hint)", at: placed.place)
        }
        for name in names where !parameters.contains(where: { $0.parameter.location == .path && $0.parameter.name == name }) {
            throw error("path parameter '\(name)' is not declared", at: path)
        }
    }

    private func declaredQueryParameter(_ node: YAMLNode, _ parameters: [PlacedParameter]) throws(ContractError) -> String {
        let name = try string(node)
        let names = parameters.map(\.parameter).filter { $0.location == .query }.map(\.name)
        guard names.contains(name) else {
            throw error(
                "x-jsonp names '\(name)', which is not a declared query parameter\(Nearest.hint(for: name, in: names))", at: node)
        }
        return name
    }

    /// A value that is `true` asks for the parameter, whatever it has.
    private func queryDemands(_ node: YAMLNode?) throws(ContractError) -> [QueryDemand] {
        try entries(node).map { entry throws(ContractError) in
            if case .scalar("true", isPlain: true) = entry.value.content { return QueryDemand(name: entry.key, value: nil) }
            return QueryDemand(name: entry.key, value: try string(entry.value))
        }
    }
}
