import HTTPTypes
import SparringJSON

/// The values of a script's names, such as `{token-1}`: found where a recorded answer has a name and the vendor's has something at the same place.
struct ProbeNames {
    private var values: [String: String] = [:]

    /// - Parameter host: for which `{host}` stands.
    init(host: String) {
        values = ["host": host, "host-encoded": host.replacing(":", with: "%3A")]
    }

    /// Lets a name stand for something.
    mutating func set(_ name: String, _ value: String) { values[name] = value }

    subscript(name: String) -> String? { values[name] }

    func resolve(_ text: String) -> String {
        Self.pieces(of: text).map { piece in
            switch piece {
            case .text(let text): text
            case .name(let name): values[name] ?? "{\(name)}"
            }
        }.joined()
    }

    /// The names in a text that nothing is known for, in their order.
    func unknown(in text: String) -> [String] {
        Self.names(in: text).filter { values[$0] == nil }
    }

    static func names(in text: String) -> [String] {
        var names: [String] = []
        for case .name(let name) in pieces(of: text) where !names.contains(name) { names.append(name) }
        return names
    }

    // MARK: Learning

    /// From an answer.
    mutating func learn(_ expected: ProbeStep.Expected, _ headers: HTTPFields, _ body: [UInt8]) {
        for (name, template) in expected.headers {
            if let value = HTTPField.Name(name).flatMap({ headers[$0] }) { learn(template, value) }
        }
        learn(expected.body, String(decoding: body, as: UTF8.self))
    }

    mutating func learn(_ template: String, _ text: String) {
        if let expected = try? JSON(parsing: template), let json = try? JSON(parsing: text) { return learn(expected, json) }
        learn(word: template, text)
    }

    mutating func learn(_ template: JSON, _ json: JSON) {
        switch (template, json) {
        case (.object(let members), .object(let others)):
            for (name, member) in members { others[name].map { learn(member, $0) } }
        case (.array(let items), .array(let others)): for (item, other) in zip(items, others) { learn(item, other) }
        case (.string(let word), .string(let text)): learn(word: word, text)
        case (.string(let word), .integer(let number)): learn(word: word, String(number))
        default: break
        }
    }

    private mutating func learn(word: String, _ text: String) {
        let pieces = Self.pieces(of: word)
        var rest = text[...]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let literal):
                guard let end = Self.end(of: literal, in: rest) else { return }
                rest = rest[end...]
            case .name(let name) where values[name].map(rest.hasPrefix) == true: rest = rest.dropFirst(values[name]?.count ?? 0)
            // A vendor has several hosts.
            case .name("host"): rest = rest.drop { $0 != "/" }
            case .name(let name):
                var value = rest
                if pieces.indices.contains(index + 1), case .text(let next) = pieces[index + 1] {
                    guard let end = (rest.firstRange(of: next) ?? rest.firstRange(of: next.prefix(1)))?.lowerBound else { return }
                    value = rest[..<end]
                }
                rest = rest[value.endIndex...]
                if values[name] == nil, !value.isEmpty { values[name] = String(value) }
            }
        }
    }

    /// The end of a literal, or of its last part: the host of an address may be another one.
    private static func end(of literal: String, in text: Substring) -> Substring.Index? {
        if text.hasPrefix(literal) { return text.index(text.startIndex, offsetBy: literal.count) }
        guard let mark = literal.lastIndex(where: { "?&#/".contains($0) }) else { return nil }
        return text.firstRange(of: literal[mark...])?.upperBound
    }

    /// How much two messages have in common: one for each text or number that is the same at the same place.
    static func likeness(_ template: JSON, _ json: JSON) -> Int {
        switch (template, json) {
        case (.object(let members), .object(let others)):
            members.reduce(0) { sum, member in sum + (others[member.key].map { likeness(member.value, $0) } ?? -1) }
        case (.array(let items), .array(let others)): zip(items, others).reduce(0) { $0 + likeness($1.0, $1.1) }
        default: template == json ? 1 : 0
        }
    }

    // MARK: Pieces

    private enum Piece {
        case text(String)
        case name(String)
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var (literal, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            literal += rest[..<open]
            let name = rest[rest.index(after: open)...].prefix { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
            rest = rest[rest.index(after: open)...]
            guard isName(name), rest.dropFirst(name.count).first == "}" else {
                literal += "{"
                continue
            }
            if !literal.isEmpty { pieces.append(.text(literal)) }
            pieces.append(.name(String(name)))
            (literal, rest) = ("", rest.dropFirst(name.count + 1))
        }
        literal += rest
        return literal.isEmpty ? pieces : pieces + [.text(literal)]
    }

    private static func isName(_ text: Substring) -> Bool {
        if ["host", "host-encoded"].contains(text) { return true }
        guard let dash = text.lastIndex(of: "-") else { return false }
        let number = text[text.index(after: dash)...]
        return !number.isEmpty && number.allSatisfy(\.isNumber) && text.first?.isLetter == true
    }
}
