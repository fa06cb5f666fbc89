extension ContractReader {
    /// `x-effects: { word: { summary: …, parameters: { name: [value, …] } } }`
    func effects(_ node: YAMLNode?) throws(ContractError) -> [DeclaredEffect] {
        guard let node else { return [] }
        var effects: [DeclaredEffect] = []
        for entry in try entries(node) {
            guard Spelling.answer.accepts(entry.key) else {
                throw error("effect '\(entry.key)' does not match \(Spelling.answer.text)", at: entry)
            }
            let fields = try fields(entry.value, of: "an effect", known: ["summary", "parameters"])
            var parameters: [(name: String, values: [String])] = []
            if let declared = fields["parameters"] {
                for parameter in try entries(declared) {
                    var values: [String] = []
                    for value in try elements(parameter.value) { values.append(try string(value)) }
                    guard !values.isEmpty else { throw error("parameter '\(parameter.key)' has no values", at: parameter) }
                    parameters.append((parameter.key, values))
                }
            }
            effects.append(DeclaredEffect(word: entry.key, summary: try string(try fields.require("summary")), parameters: parameters))
        }
        return effects
    }
}
