internal import SparringJSON
internal import SparringPattern

extension [SchemaRules] {
    /// The schemas, and all that they may apply to the same value, whatever it is.
    func inPlace(_ schemas: [Int]) -> [Int] {
        var all: [Int] = [], next = schemas
        while let schema = next.popLast() {
            guard !all.contains(schema) else { continue }
            all.append(schema)
            for applicator in self[schema].applicators {
                if case .not = applicator { continue }
                next += applicator.schemas
            }
        }
        return all
    }

    /// The schemas, and those that they apply to the same value where it fits them: whose annotations count (core §7.7.1, §10.2).
    func applied(_ schemas: [Int], to value: JSON) -> [Int] {
        func fits(_ schema: Int) -> Bool { SchemaChecker.accepts(value, schema, self) }
        var all: [Int] = [], next = schemas
        while let schema = next.popLast() {
            guard !all.contains(schema) else { continue }
            all.append(schema)
            for applicator in self[schema].applicators {
                switch applicator {
                case .reference(let schema): next.append(schema)
                case .all(let schemas): next += schemas
                case .any(let schemas), .one(let schemas): next += schemas.filter(fits)
                case .not: break
                case .condition(let condition, let then, let otherwise):
                    let isMet = fits(condition)
                    next += [isMet ? condition : nil, isMet ? then : otherwise].compactMap(\.self)
                case .dependent(let schemas): next += schemas.filter { value[$0.name] != nil }.map(\.schema)
                }
            }
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
