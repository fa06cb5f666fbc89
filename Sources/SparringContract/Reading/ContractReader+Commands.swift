internal import SparringJSON

extension ContractReader {
    /// `x-commands: [clock show, { usage: …, parameters: { socket: NUMBER }, body: { mode: frozen, now: --at } }]`. Where nothing is said of a part, it is the
    /// parameter or the member of the body that is called like it.
    func commands(
        _ node: YAMLNode?, _ parameters: [ContractParameter], _ body: ContractRequestBody?
    ) throws(ContractError) -> [DeclaredCommand] {
        try elements(node).map { element throws(ContractError) in try command(element, parameters, body) }
    }

    private func command(
        _ node: YAMLNode, _ parameters: [ContractParameter], _ body: ContractRequestBody?
    ) throws(ContractError) -> DeclaredCommand {
        var usage = node
        var bound: [String: String] = [:]
        var template: JSON?
        if case .mapping = node.content {
            let fields = try fields(node, of: "a command", known: ["usage", "parameters", "body"])
            usage = try fields.require("usage")
            for entry in try entries(fields["parameters"]) { bound[entry.key] = try string(entry.value) }
            template = try fields["body"]?.json()
        }
        let text = try string(usage)
        let read: CommandUsage
        do throws(CommandUsage.Misread) { read = try CommandUsage(text) } catch {
            throw self.error("the usage '\(text)' is not as it must be: \(error.reason)", at: usage)
        }
        for parameter in parameters where bound[parameter.name] == nil {
            bound[parameter.name] = read.parts.first { $0.memberName == parameter.name.lowercased() }?.name
        }
        let names = Set(read.parts.map(\.name))
        for (parameter, part) in bound where !names.contains(part) || !parameters.contains(where: { $0.name == parameter }) {
            throw error("the command '\(text)' has no \(part), or its operation no \(parameter)", at: usage)
        }
        for parameter in parameters where parameter.required && parameter.name != "sandbox" && bound[parameter.name] == nil {
            throw error("the command '\(text)' does not say what '\(parameter.name)' is", at: usage)
        }
        let left = read.parts.filter { !bound.values.contains($0.name) }
        if template == nil, body != nil { template = .object(try members(left, of: body, text, usage)) }
        let used = Self.parts(in: template, among: names)
        // A required flag only distinguishes commands: `fault remove --all`.
        if let unused = left.first(where: { !used.contains($0.name) && !($0.isRequired && $0.value == .none) }) {
            throw error("the command '\(text)' takes \(unused.name), and its operation does not", at: usage)
        }
        return DeclaredCommand(usage: text, words: read.words, parts: read.parts, parameters: bound, body: body == nil ? nil : template)
    }

    /// The members that are called like the parts.
    private func members(
        _ parts: [DeclaredCommand.Part], of body: ContractRequestBody?, _ text: String, _ node: YAMLNode
    ) throws(ContractError) -> JSON.Object {
        let known = body?.mediaTypes.lazy.compactMap(\.schema).first?.fields.map(\.name) ?? []
        var members: JSON.Object = [:]
        for part in parts {
            guard let name = known.first(where: { $0.lowercased() == part.memberName }) else {
                throw error("the command '\(text)' takes \(part.name), and the body has no such member", at: node)
            }
            members[name] = .string(part.name)
        }
        return members
    }

    private static func parts(in template: JSON?, among names: Set<String>) -> Set<String> {
        switch template {
        case .string(let text)?: names.intersection([text])
        case .array(let items)?: items.reduce(into: []) { $0.formUnion(parts(in: $1, among: names)) }
        case .object(let members)?: members.values.reduce(into: []) { $0.formUnion(parts(in: $1, among: names)) }
        default: []
        }
    }
}

extension DeclaredCommand.Part {
    /// In lower case: `redirecturi` for `--redirect-uri`.
    fileprivate var memberName: String { name.filter { $0 != "-" }.lowercased() }
}
