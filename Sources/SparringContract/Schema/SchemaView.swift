package import SparringJSON

/// The values that a contract allows at one place, in any of its alternatives: nothing that it shows as optional is required by any of them.
package struct SchemaView: Sendable {
    private let library: SchemaLibrary?
    private let asked: [Int]
    /// With all that they may apply to the same value.
    private let schemas: [Int]

    /// - Parameter schema: nil: nothing is declared there.
    package init(_ schema: Schema?) { self.init(schema?.library, schema.map { [$0.index] } ?? []) }

    private init(_ library: SchemaLibrary?, _ schemas: [Int]) {
        (self.library, asked) = (library, schemas)
        self.schemas = library?.rules.inPlace(schemas) ?? []
    }

    private var rules: [SchemaRules] { schemas.compactMap { library?.rules[$0] } }

    /// Nothing is declared there.
    package var isSilent: Bool { schemas.isEmpty }

    package var use: ValueUse? { rules.lazy.compactMap(\.use).first }

    // MARK: Objects

    package func member(_ name: String) -> SchemaView {
        let objects = rules.map(\.object)
        let named = objects.compactMap { $0.properties[name] }
        return SchemaView(library, named.isEmpty ? objects.flatMap { $0.alike(name) } + objects.compactMap(\.additional) : named)
    }

    /// The members that an object may have whichever alternative it is.
    package var certainMembers: Set<String> {
        guard let library else { return [] }
        var certain: Set<Int> = [], next = asked
        while let schema = next.popLast() {
            guard certain.insert(schema).inserted else { continue }
            for applicator in library.rules[schema].applicators {
                switch applicator {
                case .reference(let schema): next.append(schema)
                case .all(let schemas): next += schemas
                case .any, .one, .not, .condition, .dependent: break
                }
            }
        }
        return Set(certain.flatMap { library.rules[$0].object.properties.keys })
    }

    /// Whether an object may be without a member.
    package func mayLack(_ name: String) -> Bool {
        !rules.contains { rules in
            let object = rules.object
            return object.required.contains(name) || object.minimum != nil
                || object.dependentRequired.contains { $0.name == name || $0.required.contains(name) }
        }
    }

    /// Its members are entries whose names mean something: one more is no unknown member.
    package var isMap: Bool {
        rules.contains { rules in
            let object = rules.object
            return !object.patterns.isEmpty || object.names != nil
                || object.additional.map { !SchemaView(library, [$0]).saysNothing } ?? false
        }
    }

    /// `true`, `false`, or a schema without keywords.
    private var saysNothing: Bool {
        rules.allSatisfy { rules in
            rules.isNever
                || rules.types == nil && rules.enumeration == nil && rules.constant == nil && rules.applicators.isEmpty
                    && rules.string.isEmpty && rules.object.schemas.isEmpty && rules.array.schemas.isEmpty
        }
    }

    // MARK: Arrays

    /// It is a list, and nothing else.
    package var isList: Bool { rules.contains { $0.types == .array } && rules.allSatisfy { $0.types ?? .array == .array } }

    package func item(_ index: Int) -> SchemaView { SchemaView(library, rules.compactMap { $0.array.item(index) }) }

    /// Whether an array may have so many items.
    package func mayHave(items count: Int) -> Bool {
        rules.allSatisfy { rules in
            let array = rules.array
            return count >= array.minimum ?? 0 && count <= array.maximum ?? Int.max && array.contains == nil && array.prefix.isEmpty
        }
    }

    /// No two items may be alike, or alike in one of their members.
    package var hasUniqueItems: Bool { rules.contains { $0.array.areUnique || $0.array.key != nil } }

    // MARK: Scalars

    /// The value says which of several alternatives this is.
    package var isConstant: Bool { rules.contains { $0.constant != nil } }

    /// The values that there are; nil: any.
    package var enumeration: [JSON]? {
        let all = rules.compactMap(\.enumeration)
        return all.isEmpty ? nil : all.flatMap(\.self)
    }

    package var isDateTime: Bool { rules.contains { $0.string.format == .dateTime } }

    /// The contract lays down the form of a text, beyond its being a time.
    package var hasForm: Bool {
        rules.contains { rules in
            rules.string.pattern != nil || rules.constant != nil || rules.enumeration != nil
                || rules.string.format.map { $0 != .dateTime } ?? false
        }
    }

    /// Unicode scalars of the longest text; nil: no limit.
    package var longest: Int? { rules.compactMap(\.string.maxLength).min() }

    /// Whether a value is as all that is said of it asks, one of the alternatives wherever there are some.
    package func accepts(_ value: JSON) -> Bool {
        guard let library else { return true }
        return schemas.allSatisfy { schema in
            let rules = library.rules[schema]
            guard rules.applicators.isEmpty else { return true }
            return SchemaChecker.accepts(value, schema, library.rules)
        }
    }
}
