import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import Support

/// The calls of the vendors' clients, and Sparring's answers: `fixtures/documents/sdk-calls.yaml`, and the page that is made of it.
struct SDKCallTable {
    struct Row {
        let vendor, client, host, purpose, source: String
        /// Nil, as the path, where the source names no path.
        let method: HTTPRequest.Method?
        /// With `{placeholders}`, and a query where the call needs it.
        let path: String?
        /// Exactly one in a sound row.
        let answers: [Answer]

        /// Words for the call, in the page and in what a test says of it.
        var call: String { path.map { "`\(method?.rawValue ?? "?") \($0)`" } ?? "–" }
    }

    enum Answer {
        /// The operation, by its qualified name.
        case operation(String)
        /// Why, or what to do instead.
        case notEmulated(String)
        /// Why it never reaches Sparring.
        case elsewhere(String)
    }

    static let operations = Dictionary(uniqueKeysWithValues: ContractExamples.operations.map { ($0.qualifiedName, $0) })

    let rows: [Row]
    let page = RecordedPage("Sources/sparring/Documentation.docc/What-SDKs-call.md")

    init() throws {
        let file = Repository.folder("fixtures/documents/sdk-calls.yaml")
        let json = try YAMLDocument(parsing: String(contentsOfFile: file, encoding: .utf8), file: file).json
        rows = (json["rows"]?.array ?? []).map { row in
            func text(_ name: String) -> String { row[name]?.string ?? "" }
            let answers = [
                row["operation"]?.string.map(Answer.operation), row["not-emulated"]?.string.map(Answer.notEmulated),
                row["elsewhere"]?.string.map(Answer.elsewhere),
            ]
            return Row(
                vendor: text("vendor"), client: text("client"), host: text("host"), purpose: text("for"), source: text("source"),
                method: row["method"]?.string.flatMap { HTTPRequest.Method($0) }, path: row["path"]?.string,
                answers: answers.compactMap(\.self))
        }
    }

    /// The page's text after its introduction.
    var text: String {
        var lines: [String] = []
        var vendor = ""
        for row in rows {
            if row.vendor != vendor {
                vendor = row.vendor
                lines += ["", "## \(vendor)", "", "| Client | Call | Host | For | Sparring | Source |", "|---|---|---|---|---|---|"]
            }
            lines.append("| \(row.client) | \(row.call) | \(row.host) | \(row.purpose) | \(row.words) | \(row.source) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension SDKCallTable.Row {
    /// The target of such a call: in the placeholders' places the examples of the operation's parameters, or anything.
    func target(of operation: ContractOperation? = nil) -> String? {
        path?.replacing(/\{(.*?)\}/) { placeholder in
            let name = String(placeholder.1)
            let example = operation?.parameters.first { $0.location == .path && $0.name == name }?.example
            return Form.encoded(example.map { $0.string ?? $0.text } ?? "x")
        }
    }

    fileprivate var words: String {
        let parts = answers.map { answer -> String in
            switch answer {
            case .operation(let name): (isLeftOut(name) ? "501: " : "") + "`\(name)`"
            case .notEmulated(let why): (path == nil ? "not emulated: " : "404: ") + why
            case .elsewhere(let why): "elsewhere: \(why)"
            }
        }
        return parts.joined(separator: "; ")
    }

    private func isLeftOut(_ name: String) -> Bool { SDKCallTable.operations[name]?.answer("not-emulated") != nil }
}
