/// A command's usage, taken apart: words in lower case, arguments such as `NAME`, `[NAME]`, `TEXT…` and `[NAME=JSON…]`, options such as `--all`,
/// `[--at TIME]` and `[--header NAME:TEXT]…`.
struct CommandUsage {
    struct Misread: Error {
        var reason: String
    }

    private(set) var words: [String] = []
    private(set) var parts: [DeclaredCommand.Part] = []

    init(_ usage: String) throws(Misread) {
        var tokens = usage.split(separator: " ")[...]
        while let token = tokens.popFirst() {
            let bare = Self.bare(token)
            if bare.hasPrefix("--") {
                let isFlag = token.last == "]" || tokens.first.map { !Self.isPlaceholder($0) } ?? true
                let placeholder = isFlag ? token : tokens.popFirst() ?? token
                try add(bare, isFlag ? .none : Self.value(Self.bare(placeholder)), token, placeholder)
            } else if Self.isPlaceholder(token) {
                try add(bare, Self.value(bare), token, token)
            } else {
                guard parts.isEmpty, Spelling.answer.accepts(bare), bare == token else {
                    throw Misread(reason: "'\(token)' is not a word of a command")
                }
                words.append(bare)
            }
        }
        guard !words.isEmpty else { throw Misread(reason: "it has no words") }
        if let last = parts.last(where: { !$0.isOption }), parts.contains(where: { $0.isRepeated && !$0.isOption && $0.name != last.name })
        {
            throw Misread(reason: "nothing can come after an argument that takes all that is left")
        }
    }

    private mutating func add(
        _ name: String, _ value: DeclaredCommand.Part.Value, _ first: Substring, _ last: Substring
    ) throws(Misread) {
        let isOptional = first.hasPrefix("[")
        guard isOptional == last.contains("]") else { throw Misread(reason: "'\(name)' has one bracket") }
        guard !parts.contains(where: { $0.name == name }) else { throw Misread(reason: "it has '\(name)' twice") }
        parts.append(DeclaredCommand.Part(name: name, value: value, isRequired: !isOptional, isRepeated: last.contains("…")))
    }

    private static func bare(_ token: Substring) -> String { token.filter { !"[]…".contains($0) } }

    private static func isPlaceholder(_ token: Substring) -> Bool { bare(token).first?.isUppercase ?? false }

    private static func value(_ placeholder: String) -> DeclaredCommand.Part.Value {
        if placeholder.contains("=") { return .member }
        if placeholder.contains(":") { return .field }
        return placeholder == "JSON" ? .json : .text
    }
}
