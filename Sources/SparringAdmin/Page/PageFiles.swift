import Foundation
import SparringSandbox

/// The files of the live page. They are the same for everybody and hold nothing that a client has sent.
struct PageFiles: Sendable {
    /// The names of answers that carry a file, by the extension of its name.
    private static let answers = ["html": "page", "js": "page-script", "css": "page-style"]

    private let folder: String
    /// The names of files that may be asked for: a name from outside is never made into a path.
    private let names: Set<String>

    /// - Throws: ``ToolError`` for a folder without the page.
    init(_ folder: String) throws(ToolError) {
        self.folder = folder
        names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        guard names.contains(Self.index) else { throw ToolError("\(folder) has no live page: \(Self.index) is missing", .unreadable) }
    }

    static let index = "index.html"

    /// Read each time, as browsers ask for them seldom.
    ///
    /// - Returns: the answer's name and the content; nil for what is no file of the page.
    func file(_ name: String) -> (answer: String, content: [UInt8])? {
        guard names.contains(name), let answer = Self.answers[String(name.split(separator: ".").last ?? "")],
            let content = FileManager.default.contents(atPath: "\(folder)/\(name)")
        else { return nil }
        return (answer, Array(content))
    }
}
