public import SparringJSON

/// A text of a stub's example, with values in braces: `/orders/{$request.path.order}`.
struct StubText {
    private enum Piece {
        case text(String)
        case value(StubValue)
    }

    private let pieces: [Piece]

    /// The values that stand in it.
    var values: [StubValue] { pieces.compactMap { if case .value(let value) = $0 { value } else { nil } } }

    /// Whether anything in it looks like a value in braces.
    static func isTemplate(_ text: String) -> Bool { text.contains("{$") }

    init(_ text: String) throws(StubTextError) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{$") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw StubTextError(reason: "'\(rest[start.lowerBound...].prefix(60))' has no closing brace")
            }
            if start.lowerBound > rest.startIndex { pieces.append(.text(String(rest[..<start.lowerBound]))) }
            pieces.append(.value(try StubValue(String(rest[rest.index(after: start.lowerBound)..<end]))))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// A text that is nothing but one value becomes that value, with its type: null where there is none. Within other text, nothing stands for it then.
    func filled(_ value: (StubValue) -> JSON?) -> JSON {
        if pieces.count == 1, case .value(let only) = pieces[0] { return value(only) ?? .null }
        return .string(
            pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .value(let wanted): value(wanted).map { $0.string ?? $0.text } ?? ""
                }
            }.joined())
    }
}

/// A text of a stub's example cannot be read.
struct StubTextError: Error {
    let reason: String
}

extension JSON {
    /// An example of a stub with its values in their places.
    ///
    /// - Parameter value: what stands for a value; nil: there is none.
    public func filled(_ value: (StubValue) -> JSON?) -> JSON {
        switch self {
        case .string(let text):
            // The contract has been read: what it has in braces is sound.
            guard StubText.isTemplate(text), let template = try? StubText(text) else { return self }
            return template.filled(value)
        case .array(let items): return .array(items.map { $0.filled(value) })
        case .object(let members): return .object(members.mapValues { $0.filled(value) })
        default: return self
        }
    }

    /// Whether any text in it has a value in braces.
    var hasTemplate: Bool {
        switch self {
        case .string(let text): StubText.isTemplate(text)
        case .array(let items): items.contains(where: \.hasTemplate)
        case .object(let members): members.contains { $0.value.hasTemplate }
        default: false
        }
    }

    /// The values in braces in it.
    ///
    /// - Throws: ``StubTextError`` at the first one that cannot be read.
    func stubValues() throws(StubTextError) -> [StubValue] {
        var values: [StubValue] = []
        switch self {
        case .string(let text): if StubText.isTemplate(text) { values = try StubText(text).values }
        case .array(let items): for item in items { values += try item.stubValues() }
        case .object(let members): for member in members.values { values += try member.stubValues() }
        default: break
        }
        return values
    }
}
