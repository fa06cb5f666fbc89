/// One entry of `x-aliases`: the prefixes below which a vendor serves the same calls as below another one.
struct PathAlias {
    /// The beginning of the contract's paths, such as `/v2/`.
    let prefix: String
    /// The prefixes that may replace it, such as `/sdk/v2/`.
    let others: [String]
    let place: YAMLEntry
}

extension ContractReader {
    /// Reads `x-aliases`, such as `{ /v2/: [/sdk/v2/] }`.
    func pathAliases(_ node: YAMLNode?) throws(ContractError) -> [PathAlias] {
        var aliases: [PathAlias] = []
        for entry in try entries(node) {
            guard Self.isPrefix(entry.key) else { throw error("'\(entry.key)' \(Self.noPrefix)", at: entry) }
            var others: [String] = []
            for element in try elements(entry.value) {
                let other = try string(element)
                guard Self.isPrefix(other) else { throw error("'\(other)' \(Self.noPrefix)", at: element) }
                guard other != entry.key, !others.contains(other) else { throw error("'\(other)' is there already", at: element) }
                others.append(other)
            }
            guard !others.isEmpty else { throw error("'\(entry.key)' has no alias", at: entry) }
            aliases.append(PathAlias(prefix: entry.key, others: others, place: entry))
        }
        return aliases
    }

    /// - Throws: if no operation's path begins with the prefix of an alias.
    func requireUse(of aliases: [PathAlias], by operations: [ContractOperation]) throws(ContractError) {
        for alias in aliases where !operations.contains(where: { $0.pathTemplate.hasPrefix(alias.prefix) }) {
            throw error("no path begins with '\(alias.prefix)' (x-aliases)", at: alias.place)
        }
    }

    /// The templates of an operation's further paths, in the contract's order.
    func aliases(of template: PathTemplate, at path: YAMLEntry) throws(ContractError) -> [PathTemplate] {
        var templates: [PathTemplate] = []
        for alias in pathAliases where template.text.hasPrefix(alias.prefix) {
            for other in alias.others {
                do {
                    templates.append(try PathTemplate(other + template.text.dropFirst(alias.prefix.count)))
                } catch {
                    throw self.error("path '\(path.key)' \(error.reason)", at: path)
                }
            }
        }
        return templates
    }

    private static let noPrefix = "is not the beginning of a vendor's path, in whole segments without parameters, such as /v2/"

    private static func isPrefix(_ text: String) -> Bool {
        guard text.hasSuffix("/"), !ContractOperation.isOwn(path: text), let template = try? PathTemplate(text) else { return false }
        return template.parameters.isEmpty
    }
}
