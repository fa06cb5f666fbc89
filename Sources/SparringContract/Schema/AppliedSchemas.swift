internal import SparringJSON
internal import SparringPattern

extension [SchemaRules] {
    /// The schemas, and all that they may apply to the same value, whatever it is.
    func inPlace(_ schemas: [Int]) -> [Int] {
        walk(schemas) { applicator in
            if case .not = applicator { return [] }
            return applicator.schemas
        }
    }

    /// The schemas, and those by which they ask for something of the same value: a condition only chooses.
    ///
    /// - Parameter withAlternatives: also those that ask it of some values only; otherwise those that a value must fit whatever form it has.
    func demanding(_ schemas: [Int], withAlternatives: Bool) -> [Int] {
        walk(schemas) { applicator in
            switch applicator {
            case .reference(let schema): return [schema]
            case .all(let schemas): return schemas
            case .not: return []
            case .any(let schemas), .one(let schemas): return withAlternatives ? schemas : []
            case .condition(_, let then, let otherwise): return withAlternatives ? [then, otherwise].compactMap(\.self) : []
            case .dependent(let schemas): return withAlternatives ? schemas.map(\.schema) : []
            }
        }
    }

    /// The schemas, and those that they apply to the same value where it fits them: whose annotations count (core §7.7.1, §10.2).
    func applied(_ schemas: [Int], to value: JSON) -> [Int] {
        func fits(_ schema: Int) -> Bool { SchemaChecker.accepts(value, schema, self) }
        return walk(schemas) { applicator in
            switch applicator {
            case .reference(let schema): return [schema]
            case .all(let schemas): return schemas
            case .any(let schemas), .one(let schemas): return schemas.filter(fits)
            case .not: return []
            case .condition(let condition, let then, let otherwise):
                let isMet = fits(condition)
                return [isMet ? condition : nil, isMet ? then : otherwise].compactMap(\.self)
            case .dependent(let schemas): return schemas.filter { value[$0.name] != nil }.map(\.schema)
            }
        }
    }

    /// The schemas, and those that can be reached from them, each once.
    ///
    /// - Parameter step: the schemas to which an applicator leads.
    private func walk(_ schemas: [Int], _ step: (SchemaRules.Applicator) -> [Int]) -> [Int] {
        var all: [Int] = [], next = schemas
        while let schema = next.popLast() {
            guard !all.contains(schema) else { continue }
            all.append(schema)
            for applicator in self[schema].applicators { next += step(applicator) }
        }
        return all
    }

    /// The members of an object that a schema, by its other keywords and by what it applies in place, has not evaluated.
    func unevaluatedMembers(of object: JSON.Object, _ schema: Int) -> [String] {
        let applied = applied([schema], to: .object(object))
        let isAllEvaluated = applied.contains { self[$0].object.additional != nil || $0 != schema && self[$0].object.unevaluated != nil }
        return isAllEvaluated
            ? []
            : object.keys.filter { name in
                !applied.contains {
                    !self[$0].object.declared(name).isEmpty
                }
            }
    }

    /// The places of an array's items that have not been evaluated in the same sense.
    func unevaluatedItems(of elements: [JSON], _ schema: Int) -> [Int] {
        let applied = applied([schema], to: .array(elements))
        let isAllEvaluated = applied.contains { self[$0].array.items != nil || $0 != schema && self[$0].array.unevaluated != nil }
        let evaluated = applied.map { self[$0].array.prefix.count }.max() ?? 0
        let contained = applied.compactMap { self[$0].array.contains?.schema }
        return isAllEvaluated
            ? []
            : elements.indices.dropFirst(evaluated).filter { index in
                !contained.contains { SchemaChecker.accepts(elements[index], $0, self) }
            }
    }
}
