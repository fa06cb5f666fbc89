internal import SparringJSON

/// The keywords of a schema.
extension SchemaReader {
    func rules(_ node: YAMLNode) throws(ContractError) -> SchemaRules {
        var rules = SchemaRules()
        guard case .mapping(let entries) = node.content else {
            guard case .bool(let accepts)? = try? node.json() else {
                throw error("a schema must be a mapping, true or false", at: node)
            }
            rules.isNever = !accepts
            return rules
        }
        var branches: [SchemaKeyword: Int] = [:]
        var contained: (schema: Int?, minimum: Int?, maximum: Int?) = (nil, nil, nil)
        for entry in entries {
            guard let keyword = try keyword(entry) else { continue }
            let value = entry.value
            switch keyword {
            case .schema: try verifyDialect(value)
            case .defs: _ = try compiledMap(value)
            case .ref: rules.applicators.append(.reference(try compiled(reference: value)))
            case .type: rules.types = try types(value)
            case .enum:
                rules.enumeration = try value.json().array
                if rules.enumeration?.isEmpty ?? true { throw error("enum must be a list of values", at: value) }
            case .const: rules.constant = try value.json()
            case .allOf: rules.applicators.append(.all(try compiledList(value)))
            case .anyOf: rules.applicators.append(.any(try compiledList(value)))
            case .oneOf: rules.applicators.append(.one(try compiledList(value)))
            case .not: rules.applicators.append(.not(try compiled(value)))
            case .if, .then, .else: branches[keyword] = try compiled(value)
            case .dependentSchemas:
                let schemas = try compiledMap(value).map { (name: $0.entry.key, schema: $0.schema) }
                rules.applicators.append(.dependent(schemas))
            case .contains: contained.schema = try compiled(value)
            case .minContains: contained.minimum = try count(value)
            case .maxContains: contained.maximum = try count(value)
            case .contentSchema: _ = try compiled(value)
            case .standsFor:
                rules.standsFor = try standsFor(value)
                library.hasStandIns = true
            case .use: rules.use = try use(value)
            default: try readTyped(keyword, value, into: &rules)
            }
        }
        if let test = branches[.if] {
            rules.applicators.append(.condition(if: test, then: branches[.then], else: branches[.else]))
        }
        if let schema = contained.schema {
            rules.array.contains = .init(schema: schema, minimum: contained.minimum ?? 1, maximum: contained.maximum)
        }
        return rules
    }

    /// Nil for one that asserts nothing.
    private func keyword(_ entry: YAMLEntry) throws(ContractError) -> SchemaKeyword? {
        if let keyword = SchemaKeyword(rawValue: entry.key) { return keyword }
        if SchemaKeyword.annotations.contains(entry.key) { return nil }
        if let instead = SchemaKeyword.refused[entry.key] {
            throw error("the keyword '\(entry.key)' is not supported: \(instead)", at: entry)
        }
        throw unknown(entry, in: "a schema", known: SchemaKeyword.known)
    }

    private func verifyDialect(_ node: YAMLNode) throws(ContractError) {
        let dialect = try string(node)
        guard SchemaKeyword.dialects.contains(dialect) else {
            throw error("the dialect '\(dialect)' is not supported: there is \(SchemaKeyword.dialects[0])", at: node)
        }
    }

    /// Keywords about numbers, strings, arrays and objects.
    private func readTyped(_ keyword: SchemaKeyword, _ value: YAMLNode, into rules: inout SchemaRules) throws(ContractError) {
        switch keyword {
        case .minimum: rules.number.minimum = try number(value)
        case .maximum: rules.number.maximum = try number(value)
        case .exclusiveMinimum: rules.number.exclusiveMinimum = try number(value)
        case .exclusiveMaximum: rules.number.exclusiveMaximum = try number(value)
        case .multipleOf:
            rules.number.multipleOf = try number(value)
            guard rules.number.multipleOf?.double ?? 0 > 0 else { throw error("multipleOf must be greater than 0", at: value) }
        case .minLength: rules.string.minLength = try count(value)
        case .maxLength: rules.string.maxLength = try count(value)
        case .pattern: rules.string.pattern = try pattern(try string(value), at: value)
        case .expected: rules.string.expected = try string(value)
        case .format:
            switch try format(value) {
            case .text(let format): rules.string.format = format
            case .number(let format): rules.number.format = format
            case .annotation: break
            }
        case .items: rules.array.items = try compiled(value)
        case .prefixItems: rules.array.prefix = try compiledList(value)
        case .unevaluatedItems: rules.array.unevaluated = try compiled(value)
        case .minItems: rules.array.minimum = try count(value)
        case .maxItems: rules.array.maximum = try count(value)
        case .uniqueItems: rules.array.areUnique = try bool(value)
        case .unique: rules.array.key = try string(value)
        case .properties:
            for (entry, schema) in try compiledMap(value) {
                rules.object.properties[entry.key] = schema
                guard completes, let standard = entry.value.child("default") else { continue }
                rules.object.defaults.append((entry.key, try standard.json()))
            }
            try verifyStandIns(rules.object.properties, value)
        case .patternProperties:
            for (entry, schema) in try compiledMap(value) {
                let key = YAMLNode(content: .scalar(entry.key, isPlain: false), place: entry.place)
                rules.object.patterns.append((try pattern(entry.key, at: key), schema))
            }
        case .additionalProperties: rules.object.additional = try compiled(value)
        case .unevaluatedProperties: rules.object.unevaluated = try compiled(value)
        case .propertyNames: rules.object.names = try compiled(value)
        case .required: rules.object.required = try strings(value)
        case .dependentRequired:
            for entry in try entries(value) { rules.object.dependentRequired.append((entry.key, try strings(entry.value))) }
        case .minProperties: rules.object.minimum = try count(value)
        case .maxProperties: rules.object.maximum = try count(value)
        default: preconditionFailure("\(keyword.rawValue) is read with those that apply to any value")
        }
    }

    private func compiledList(_ node: YAMLNode) throws(ContractError) -> [Int] {
        let schemas = try elements(node).map { element throws(ContractError) in try compiled(element) }
        guard !schemas.isEmpty else { throw error("must not be empty", at: node) }
        return schemas
    }

    private func compiledMap(_ node: YAMLNode) throws(ContractError) -> [(entry: YAMLEntry, schema: Int)] {
        try entries(node).map { entry throws(ContractError) in (entry, try compiled(entry.value)) }
    }
}
