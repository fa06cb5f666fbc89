import SparringJSON

/// Changes of a sound value, as the input decides.
enum Mutation {
    /// A value with so many changes as are decided, most often none or one.
    ///
    /// - Parameter known: what is put for a member of that name, such as an id that an answer told.
    static func mutated(_ value: JSON, _ choices: inout Choices, known: (String) -> JSON?) -> JSON {
        var value = filled(value, &choices, known)
        for _ in 0..<choices.pick([0, 1, 1, 2, 0, 1, 3, 8]) { value = changed(value, &choices, known) }
        return value
    }

    /// With what is known in the place of an example's ids and tokens.
    private static func filled(_ value: JSON, _ choices: inout Choices, _ known: (String) -> JSON?, name: String? = nil) -> JSON {
        switch value {
        case .object(let members):
            var filled = JSON.Object()
            for (name, member) in members { filled[name] = Self.filled(member, &choices, known, name: name) }
            return .object(filled)
        case .array(let elements): return .array(elements.map { Self.filled($0, &choices, known) })
        case .string:
            guard let name, let told = known(name), told.string != nil, !choices.chance(40) else { return value }
            return told
        default: return value
        }
    }

    /// One change, somewhere in it.
    private static func changed(_ value: JSON, _ choices: inout Choices, _ known: (String) -> JSON?, name: String? = nil) -> JSON {
        switch value {
        case .object(var members) where !members.isEmpty && !choices.chance(30):
            let place = choices.below(members.count)
            let (name, member) = (members.elements[place].key, members.elements[place].value)
            switch choices.below(10) {
            case 0: members.remove(at: place)
            case 1: members[Values.text(&choices)] = Values.json(&choices)
            case 2: members[name] = members.elements[choices.below(members.count)].value
            default: members[name] = changed(member, &choices, known, name: name)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && !choices.chance(30):
            let place = choices.below(elements.count)
            switch choices.below(8) {
            case 0: elements.remove(at: place)
            case 1: elements.append(elements[place])
            case 2: elements = repeated(elements[place], choices.pick([2, 40, 1000]))
            default: elements[place] = changed(elements[place], &choices, known)
            }
            return .array(elements)
        default: return leaf(value, &choices, known, name)
        }
    }

    /// Capped, as a few repeats of repeats come to hundreds of megabytes, which no server reads.
    private static func repeated(_ element: JSON, _ times: Int) -> [JSON] {
        Array(repeating: element, count: min(times, max(2, (2 << 20) / element.bytes.count)))
    }

    private static func leaf(_ value: JSON, _ choices: inout Choices, _ known: (String) -> JSON?, _ name: String?) -> JSON {
        switch (value, choices.below(8)) {
        case (.integer(let number), 0): .integer(number &+ 1)
        case (.integer(let number), 1): .integer(number &- 1)
        case (.integer(let number), 2): .string(String(number))
        case (.integer, 3...5): .integer(choices.pick(Values.integers))
        case (.string(let text), 0): .string(text + Values.text(&choices))
        case (.string(let text), 1): .string(String(text.dropLast()))
        case (.string(let text), 2): .string(text.uppercased())
        case (.string, 3): name.flatMap(known) ?? .string("")
        case (.string, 4...5): .string(Values.text(&choices))
        default: Values.json(&choices)
        }
    }

    /// The bytes of a JSON text, sometimes with something in them that no value has.
    static func written(_ value: JSON, _ choices: inout Choices) -> [UInt8] {
        var bytes = value.bytes
        guard choices.chance(24) else { return bytes }
        let place = choices.below(bytes.count + 1)
        let raw: [String] = [
            "", "\\ud800", "\\udc00\\ud800", "\\u0000", "1e999", "-", "00", "\u{FEFF}", "{\"a\":1,\"a\":2}", "[[[[", "]", "\"", "\\", "\t",
            "\u{2028}",
        ]
        switch choices.below(4) {
        case 0: bytes.insert(contentsOf: choices.pick(raw).utf8, at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + choices.below(9)))
        case 2: bytes.insert(choices.byte(), at: place)
        default: bytes = Array(bytes.prefix(place))
        }
        return bytes
    }
}
