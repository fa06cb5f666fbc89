package import SparringJSON
internal import Yams

extension JSON {
    /// The same as a YAML 1.2 document in block style; texts that YAML would read as something else are in quotes.
    package var yaml: String { (try? Yams.serialize(node: node, width: -1)) ?? text }

    private var node: Node {
        switch self {
        case .object(let members): Node(members.map { (Self.node($0.key), $0.value.node) })
        case .array(let elements): Node(elements.map(\.node))
        case .string(let text): Self.node(text)
        default: Node(text, .implicit, .plain)
        }
    }

    private static func node(_ text: String) -> Node {
        let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        let isPlain =
            text.unicodeScalars.first.map { $0.isASCII && $0.properties.isAlphabetic || $0 == "/" } == true
            && !words.contains(text.lowercased())
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || " /-_.".unicodeScalars.contains($0))
            }
            && text.last != " "
        let isOneLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return Node(text, Tag(.str), isPlain ? .plain : isOneLine ? .singleQuoted : .doubleQuoted)
    }
}
