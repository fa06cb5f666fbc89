internal import SparringJSON

extension YAMLNode {
    /// The value as JSON. Unquoted words are resolved by YAML 1.2's core schema (§10.3.2): `yes`, `on` and dates are strings.
    ///
    /// - Throws: ``ContractError`` for what JSON cannot say (`.inf`, `.nan`) and for a number with leading zeros, which is
    ///   an id that someone forgot to quote.
    func json() throws(ContractError) -> JSON {
        switch content {
        case .scalar(let text, isPlain: false): return .string(text)
        case .scalar(let text, isPlain: true): return try plain(text)
        case .sequence(let nodes):
            var elements: [JSON] = []
            elements.reserveCapacity(nodes.count)
            for node in nodes { elements.append(try node.json()) }
            return .array(elements)
        case .mapping(let entries):
            var members = JSON.Object(minimumCapacity: entries.count)
            for entry in entries { members[entry.key] = try entry.value.json() }
            return .object(members)
        }
    }

    private func plain(_ text: String) throws(ContractError) -> JSON {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        let unsigned = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+") ? text.utf8.dropFirst() : text.utf8[...]
        guard let first = unsigned.first, first.isDigit || first == UInt8(ascii: ".") else { return .string(text) }
        if unsigned.count == text.utf8.count {
            if text.hasPrefix("0x"), let value = Int64(text.dropFirst(2), radix: 16) { return .integer(value) }
            if text.hasPrefix("0o"), let value = Int64(text.dropFirst(2), radix: 8) { return .integer(value) }
        }
        if unsigned.allSatisfy(\.isDigit) {
            guard first != UInt8(ascii: "0") || unsigned.count == 1 else {
                throw error("\(text) begins with 0: write it in quotes if it is an id")
            }
            return Int64(text).map(JSON.integer) ?? Double(text).map(JSON.number) ?? .string(text)
        }
        if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(String(decoding: unsigned, as: UTF8.self)) {
            throw error("\(text) has no form in JSON")
        }
        // What Double reads beyond YAML's floats is spelled with letters: hexadecimal, "nan", "infinity".
        let isFloat = unsigned.contains(where: \.isDigit) && unsigned.allSatisfy { $0.isDigit || ".eE+-".utf8.contains($0) }
        let number = first == UInt8(ascii: ".") ? text.replacing(".", with: "0.", maxReplacements: 1) : text
        guard isFloat, let value = Double(number), value.isFinite else { return .string(text) }
        return .number(value)
    }

    /// The value a pointer names, or the nearest value around it: where an error about that place is shown.
    func nearest(to pointer: JSONPointer) -> YAMLNode {
        var node = self
        for token in pointer.tokens {
            guard let next = node.child(token) else { break }
            node = next
        }
        return node
    }

    /// The value a pointer names (RFC 6901 §4).
    subscript(pointer: JSONPointer) -> YAMLNode? {
        var node = self
        for token in pointer.tokens {
            guard let next = node.child(token) else { return nil }
            node = next
        }
        return node
    }

    /// The names of a mapping's members.
    var keys: [String] { if case .mapping(let entries) = content { entries.map(\.key) } else { [] } }

    func child(_ token: String) -> YAMLNode? {
        switch content {
        case .mapping(let entries): entries.first { $0.key == token }?.value
        case .sequence(let nodes): Int(token).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
        case .scalar: nil
        }
    }
}
