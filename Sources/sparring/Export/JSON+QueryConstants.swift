import SparringJSON

extension JSON {
    /// An OpenAPI document whose operations declare the constants of their queries (`x-query`) as parameters too: other tools know nothing of Sparring's keys.
    var withQueryConstants: JSON {
        guard let paths = self["paths"]?.object else { return self }
        var document = self
        document["paths"] = .object(
            paths.mapValues { item in
                guard let operations = item.object else { return item }
                return .object(operations.mapValues(\.declaringQueryConstants))
            })
        return document
    }

    /// Of an operation.
    private var declaringQueryConstants: JSON {
        guard let constants = self["x-query"]?.object else { return self }
        var operation = self
        let parameters: [JSON] = constants.map { name, value in
            ["name": .string(name), "in": "query", "required": true, "schema": ["type": "string", "const": value], "example": value]
        }
        operation["parameters"] = .array((self["parameters"]?.array ?? []) + parameters)
        return operation
    }
}
