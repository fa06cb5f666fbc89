internal import SparringJSON

extension ContractReader {
    /// Reads a schema and all that it refers to.
    func schema(_ node: YAMLNode) throws(ContractError) -> Schema {
        let index = try compiled(node)
        try refuseLoops()
        return Schema(library: library, index: index)
    }

    /// Nil where there is no node.
    func schema(ifPresent node: YAMLNode?) throws(ContractError) -> Schema? {
        guard let node else { return nil }
        return try schema(node)
    }

    /// The schema that a `$ref` names. Its number is known before it is read, so that it may contain itself.
    func compiled(reference: String, at place: YAMLNode) throws(ContractError) -> Int {
        if let index = schemas[reference] { return index }
        let node = try component(reference, section: "schemas", at: place)
        let index = reserve(node)
        schemas[reference] = index
        library.rules[index] = try rules(node)
        return index
    }

    private func reserve(_ node: YAMLNode) -> Int {
        library.rules.append(SchemaRules())
        schemaPlaces.append(node)
        return library.rules.count - 1
    }

    private func compiled(_ node: YAMLNode) throws(ContractError) -> Int {
        // A bare reference needs no schema of its own.
        if case .mapping(let entries) = node.content, entries.count == 1, entries[0].key == "$ref" {
            return try compiled(reference: try string(entries[0].value), at: entries[0].value)
        }
        let index = reserve(node)
        library.rules[index] = try rules(node)
        return index
    }

    private func compiledList(_ node: YAMLNode) throws(ContractError) -> [Int] {
        var schemas: [Int] = []
        for element in try elements(node) { schemas.append(try compiled(element)) }
        guard !schemas.isEmpty else { throw error("must not be empty", at: node) }
        return schemas
    }

    private func compiledMap(_ node: YAMLNode) throws(ContractError) -> [(entry: YAMLEntry, schema: Int)] {
        var schemas: [(YAMLEntry, Int)] = []
        for entry in try entries(node) { schemas.append((entry, try compiled(entry.value))) }
        return schemas
    }

    private func rules(_ node: YAMLNode) throws(ContractError) -> SchemaRules {
        var rules = SchemaRules()
        guard case .mapping(let entries) = node.content else {
            guard case .bool(let accepts)? = try? node.json(file: file) else {
                throw error("a schema must be a mapping, true or false", at: node)
            }
            rules.isNever = !accepts
            return rules
        }
        var condition: (if: Int?, then: Int?, else: Int?) = (nil, nil, nil)
        for entry in entries {
            let value = entry.value
            switch entry.key {
            case "$ref": rules.applicators.append(.reference(try compiled(reference: try string(value), at: value)))
            case "type": rules.types = try types(value)
            case "enum":
                rules.enumeration = try value.json(file: file).array
                if rules.enumeration?.isEmpty ?? true { throw error("enum must be a list of values", at: value) }
            case "const": rules.constant = try value.json(file: file)
            case "allOf": rules.applicators.append(.all(try compiledList(value)))
            case "anyOf": rules.applicators.append(.any(try compiledList(value)))
            case "oneOf": rules.applicators.append(.one(try compiledList(value)))
            case "not": rules.applicators.append(.not(try compiled(value)))
            case "if": condition.if = try compiled(value)
            case "then": condition.then = try compiled(value)
            case "else": condition.else = try compiled(value)
            case "title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly": break
            case "nullable": throw error("'nullable' is OpenAPI 3.0: write 'null' among the types", at: entry)
            default: try readTyped(entry, into: &rules)
            }
        }
        if let test = condition.if { rules.applicators.append(.condition(if: test, then: condition.then, else: condition.else)) }
        return rules
    }

    /// Keywords about numbers, strings, arrays and objects.
    private func readTyped(_ entry: YAMLEntry, into rules: inout SchemaRules) throws(ContractError) {
        let value = entry.value
        switch entry.key {
        case "minimum": rules.number.minimum = try number(value)
        case "maximum": rules.number.maximum = try number(value)
        case "exclusiveMinimum": rules.number.exclusiveMinimum = try number(value)
        case "exclusiveMaximum": rules.number.exclusiveMaximum = try number(value)
        case "multipleOf":
            rules.number.multipleOf = try number(value)
            guard rules.number.multipleOf?.double ?? 0 > 0 else { throw error("multipleOf must be greater than 0", at: value) }
        case "minLength": rules.string.minLength = try count(value)
        case "maxLength": rules.string.maxLength = try count(value)
        case "pattern": rules.string.pattern = try pattern(try string(value), at: value)
        case "x-expected": rules.string.expected = try string(value)
        case "format": rules.string.format = try format(value)
        case "items": rules.array.items = try compiled(value)
        case "prefixItems": rules.array.prefix = try compiledList(value)
        case "contains": rules.array.contains = try compiled(value)
        case "minItems": rules.array.minimum = try count(value)
        case "maxItems": rules.array.maximum = try count(value)
        case "uniqueItems": rules.array.areUnique = try bool(value)
        case "properties":
            for (entry, schema) in try compiledMap(value) { rules.object.properties[entry.key] = schema }
        case "patternProperties":
            for (entry, schema) in try compiledMap(value) {
                let key = YAMLNode(content: .scalar(entry.key, isPlain: false), line: entry.line, column: entry.column)
                rules.object.patterns.append((try pattern(entry.key, at: key), schema))
            }
        case "additionalProperties": rules.object.additional = try compiled(value)
        case "propertyNames": rules.object.names = try compiled(value)
        case "required": rules.object.required = try strings(value)
        case "dependentRequired":
            for entry in try entries(value) { rules.object.dependentRequired.append((entry.key, try strings(entry.value))) }
        case "minProperties": rules.object.minimum = try count(value)
        case "maxProperties": rules.object.maximum = try count(value)
        default: throw unknown(entry, in: "a schema", known: Self.keywords)
        }
    }

    private static let keywords = [
        "$ref", "type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "title", "description", "default",
        "example",
        "examples", "deprecated", "readOnly", "writeOnly", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "pattern", "x-expected", "format", "items", "prefixItems", "contains", "minItems", "maxItems",
        "uniqueItems",
        "properties",
        "patternProperties", "additionalProperties", "propertyNames", "required", "dependentRequired", "minProperties", "maxProperties",
    ]

    /// A schema that refers to itself without going into the value's members or items would be checked without end (core §9.4.1).
    private func refuseLoops() throws(ContractError) {
        enum State { case unseen, open, done }
        var states = [State](repeating: .done, count: soundSchemas) + Array(repeating: .unseen, count: library.rules.count - soundSchemas)
        func visit(_ index: Int) throws(ContractError) {
            switch states[index] {
            case .done: return
            case .open: throw error("the schema refers to itself without end", at: schemaPlaces[index])
            case .unseen: break
            }
            states[index] = .open
            for applicator in library.rules[index].applicators {
                for next in applicator.schemas { try visit(next) }
            }
            states[index] = .done
        }
        for index in soundSchemas..<library.rules.count { try visit(index) }
        soundSchemas = library.rules.count
    }
}
