package import SparringContract
package import SparringJSON

/// A value like another one, of an unknown kind: the members that say what it is have values without meaning, and its ids are its own.
package struct OddValue {
    private struct Mark {
        var place: [Step]
        var known: String
    }

    fileprivate enum Step { case name(String), index(Int) }

    private var value: JSON
    /// The places where it says what it is.
    private var kinds: [Mark] = []
    private var ids: [Mark] = []

    package init(_ value: JSON, _ view: SchemaView) {
        self.value = Self.withoutNumbers(value, view)
        look(self.value, view, [])
    }

    /// Without the numbers by which clients keep count of what they were sent: they are the other one's.
    private static func withoutNumbers(_ value: JSON, _ view: SchemaView) -> JSON {
        guard case .object(let members) = value else { return value }
        var kept = JSON.Object(minimumCapacity: members.count)
        for (name, value) in members {
            let inner = view.member(name)
            if case .integer = value, inner.use == .steers { continue }
            kept[name] = withoutNumbers(value, inner)
        }
        return .object(kept)
    }

    /// There is something in it that says what it is.
    package var isOdd: Bool { !kinds.isEmpty }

    private mutating func look(_ value: JSON, _ view: SchemaView, _ place: [Step]) {
        switch value {
        case .object(let members):
            for (name, value) in members { look(value, view.member(name), place + [.name(name)]) }
        case .array(let items):
            for (index, item) in items.enumerated() { look(item, view.item(index), place + [.index(index)]) }
        case .string(let text):
            if view.isConstant {
                kinds.append(Mark(place: place, known: text))
            } else if view.use == .opaque, !view.hasForm {
                ids.append(Mark(place: place, known: text))
            }
        case .integer, .number, .bool, .null: break
        }
    }

    /// - Parameter word: tells it from other odd values.
    package func value(_ word: String) -> JSON {
        var odd = value
        for kind in kinds { odd.put(.string(Self.unknown(like: kind.known, word)), at: kind.place[...]) }
        for id in ids { odd.put(.string(TakenBack.longer(id.known, by: 0, word)), at: id.place[...]) }
        return odd
    }

    package func words(_ word: String) -> String { Set(kinds.map { Self.unknown(like: $0.known, word) }).sorted().joined(separator: ", ") }

    /// A value without meaning, spelt as known ones are: `SPARRING_7F3`, `sparring:7f3`, `Sparring7f3`.
    package static func unknown(like known: String, _ word: String) -> String {
        if let mark = known.last(where: { !$0.isLetter && !$0.isNumber && $0 != "*" }) {
            let name = "sparring\(mark)\(word)"
            if known == known.uppercased() { return name.uppercased() }
            return known.first?.isUppercase == true ? name.prefix(1).uppercased() + name.dropFirst() : name
        }
        if known == known.uppercased() { return "SPARRING_\(word.uppercased())" }
        return known.first?.isUppercase == true ? "Sparring\(word)" : "sparring\(known == known.lowercased() ? "_" : "")\(word)"
    }
}

extension JSON {
    fileprivate mutating func put(_ value: JSON, at place: ArraySlice<OddValue.Step>) {
        guard let step = place.first else {
            self = value
            return
        }
        switch (step, self) {
        case (.name(let name), .object(var members)):
            members[name]?.put(value, at: place.dropFirst())
            self = .object(members)
        case (.index(let index), .array(var items)) where items.indices.contains(index):
            items[index].put(value, at: place.dropFirst())
            self = .array(items)
        default: break
        }
    }
}
