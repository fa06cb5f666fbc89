import Foundation
import Support

/// A page of which a part is made of a file by a test: between `<!-- name -->` and `<!-- /name -->`, or to its end where there is no second marker.
/// The first marker may have arguments, as in `<!-- name depth=2 -->`.
struct RecordedPage {
    private let file: String
    private let marker: String

    /// - Parameters:
    ///   - page: its path in the repository.
    ///   - marker: the name in the markers.
    init(_ page: String, marker: String = "rows") { (file, self.marker) = (Repository.folder(page), marker) }

    /// The text that the page has there; nil where its marker is missing.
    var rows: String? {
        get throws {
            let text = try text
            return part(of: text).map { String(text[$0]) }
        }
    }

    /// The value of an argument of the first marker; nil where it has none of that name.
    func argument(_ name: String) throws -> String? {
        let text = try text
        return opening(in: text)?.arguments.split(separator: " ").first { $0.hasPrefix("\(name)=") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }

    func record(_ rows: String) throws {
        var text = try text
        guard let part = part(of: text) else { return }
        text.replaceSubrange(part, with: rows)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private var text: String {
        get throws { try String(contentsOfFile: file, encoding: .utf8) }
    }

    private func part(of text: String) -> Range<String.Index>? {
        guard let start = opening(in: text)?.end else { return nil }
        return start..<(text.range(of: "<!-- /\(marker) -->", range: start..<text.endIndex)?.lowerBound ?? text.endIndex)
    }

    private func opening(in text: String) -> (arguments: Substring, end: String.Index)? {
        guard let name = text.range(of: "<!-- \(marker) "),
            let end = text.range(of: "-->\n", range: name.upperBound..<text.endIndex)
        else { return nil }
        return (text[name.upperBound..<end.lowerBound], end.upperBound)
    }
}
