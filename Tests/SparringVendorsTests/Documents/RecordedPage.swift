import Foundation
import Support

/// A page whose end, behind a marker, is made of a file by a test.
struct RecordedPage {
    private static let marker = "<!-- rows -->\n"
    private let file: String

    /// - Parameter page: its path in the repository.
    init(_ page: String) { file = Repository.folder(page) }

    /// What the page has behind its marker; nil where that is missing.
    var rows: String? {
        get throws {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.range(of: Self.marker).map { String(text[$0.upperBound...]) }
        }
    }

    func record(_ rows: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let marker = text.range(of: Self.marker) else { return }
        try (text[..<marker.upperBound] + rows).write(toFile: file, atomically: true, encoding: .utf8)
    }
}
