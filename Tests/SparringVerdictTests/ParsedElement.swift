import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An XML element, as a parser that knows nothing of reports reads it.
final class ParsedElement: NSObject, XMLParserDelegate {
    let name: String
    let attributes: [String: String]
    private(set) var text = ""
    private(set) var children: [ParsedElement] = []
    private var open: [ParsedElement] = []

    private init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// Nil where the document is not well-formed.
    static func parse(_ document: String) -> ParsedElement? {
        let root = ParsedElement(name: "", attributes: [:])
        root.open = [root]
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = root
        return parser.parse() ? root.children.first : nil
    }

    /// The elements of this name, at any depth.
    func all(_ name: String) -> [ParsedElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    /// This and all below.
    var whole: [ParsedElement] { [self] + children.flatMap(\.whole) }
    var wholeText: String { text + children.map(\.wholeText).joined() }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
        let element = ParsedElement(name: name, attributes: attributes)
        open.last?.children.append(element)
        open.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) { open.removeLast() }
    func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }
}
