public import SparringJSON

extension ChaosPlan {
    /// As programs read it: for each call null where it is left alone.
    public var json: JSON {
        let parts: [JSON] = parts.map { part in
            var lanes = JSON.Object()
            for row in part.rows { lanes[row.lane] = .array(row.calls.map { $0.map { .string($0) } ?? .null }) }
            return .members([
                "number": .integer(Int64(part.number)), "text": .string(part.text), "lanes": .object(lanes),
                "caveat": part.caveat.map { .string($0) },
            ])
        }
        return ["seed": .integer(seed), "faults": .array(parts)]
    }
}
