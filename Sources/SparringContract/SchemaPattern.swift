/// A regular expression of a schema (`pattern`, `patternProperties`), searched for as ECMA-262 does: anywhere in the text unless anchored,
/// by code point, `\d` and `\w` being ASCII.
struct SchemaPattern: @unchecked Sendable {
    let text: String
    /// Safe to share although `Regex` is not `Sendable`: it is made from text, so it holds no closure; it is only read after the first
    /// match, which the initializer makes and which compiles it.
    private let regex: Regex<AnyRegexOutput>
    private let plain: PlainPattern?

    /// - Throws: the parser's error, whose description says what is wrong.
    init(_ text: String) throws {
        self.text = text
        regex = try Regex(try Self.ecma(text))
            .matchingSemantics(.unicodeScalar)
            .asciiOnlyDigits()
            .asciiOnlyWordCharacters()
            .wordBoundaryKind(.simple)
        _ = try regex.firstMatch(in: "")
        plain = PlainPattern(text)
    }

    func matches(_ subject: String) -> Bool { plain?.matches(subject) ?? matchesByEngine(subject) }

    /// What ``PlainPattern`` is a shortcut for.
    func matchesByEngine(_ subject: String) -> Bool { (try? regex.firstMatch(in: subject)) != nil }

    /// The expression in Swift's dialect. Swift's `$` also matches before a last line break; ECMA-262's does not, and `\z` says so. What
    /// only other dialects have is refused, because a vendor's own validator would refuse it.
    private static func ecma(_ text: String) throws -> String {
        var out = ""
        var isEscaped = false
        var isInClass = false
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case _ where isEscaped:
                isEscaped = false
                guard !scalar.properties.isAlphabetic || "dDwWsSbBnrtvfcxukpP".unicodeScalars.contains(scalar) else {
                    throw Foreign(description: "'\\\(scalar)' is not ECMA-262")
                }
            case "\\": isEscaped = true
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass && rest.first == "?":
                guard let kind = rest.dropFirst().first, ":=!<".unicodeScalars.contains(kind) else {
                    throw Foreign(description: "this kind of group is not ECMA-262")
                }
            case "$" where !isInClass:
                out += "\\z"
                continue
            default: break
            }
            out.unicodeScalars.append(scalar)
        }
        return out
    }

    private struct Foreign: Error, CustomStringConvertible {
        var description: String
    }
}
