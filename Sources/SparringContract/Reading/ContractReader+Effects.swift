extension ContractReader {
    /// `x-effects: { word: { summary: …, parameters: { name: [value, …] } } }`
    func effects(_ node: YAMLNode?) throws(ContractError) -> [DeclaredEffect] {
        try entries(node).map { entry throws(ContractError) in
            try require(entry, spelled: .answer, "effect")
            let fields = try fields(entry.value, of: "an effect", known: ["summary", "parameters"])
            let parameters = try entries(fields["parameters"]).map { parameter throws(ContractError) in
                let values = try strings(parameter.value)
                guard !values.isEmpty else { throw error("parameter '\(parameter.key)' has no values", at: parameter) }
                return (name: parameter.key, values: values)
            }
            return DeclaredEffect(word: entry.key, summary: try string(try fields.require("summary")), parameters: parameters)
        }
    }
}
