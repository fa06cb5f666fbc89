import SparringJSON

/// A scan of a file for everything that looks like a credential: all that ``Redaction`` would hide there.
package struct CredentialScan {
    package struct Finding: Sendable, Hashable {
        /// `line 3`, or a JSON Pointer (RFC 6901), behind the line where the file has several documents.
        package var place: String
        /// The kind of credential that it would be, such as `jwt`.
        package var kind: String
    }

    private var redaction = Redaction(.recording)
    /// In the file's order.
    package private(set) var findings: [Finding] = []

    /// - Parameter text: a JSON document, one on each line, or any other text.
    package init(_ text: String) {
        redaction.placeholders.skip(thoseIn: text)
        if let json = Self.document(text) {
            compare(json, redaction.document(json), .root, "")
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let documents = lines.map { $0.first == "{" ? Self.document($0) : nil }
        guard documents.contains(where: { $0 != nil }) else {
            search(text)
            return
        }
        for (index, json) in documents.enumerated() {
            if let json {
                compare(json, redaction.document(json), .root, "line \(index + 1) ")
            } else {
                search(lines[index], from: index + 1)
            }
        }
    }

    private static func document(_ text: String) -> JSON? {
        (try? JSON(parsing: text)).flatMap { $0.object == nil && $0.array == nil ? nil : $0 }
    }

    private mutating func compare(_ json: JSON, _ shown: JSON, _ pointer: JSONPointer, _ line: String) {
        switch (json, shown) {
        case (.object(let members), .object(let safe)):
            for (name, member) in members { compare(member, safe[name] ?? .null, pointer.appending(name), line) }
        case (.array(let items), .array(let safe)):
            for (index, (item, shown)) in zip(items, safe).enumerated() { compare(item, shown, pointer.appending(String(index)), line) }
        case (.string(let text), .string(let safe)) where text != safe:
            // Content-Length follows the body.
            if text.allSatisfy(\.isNumber), safe.allSatisfy(\.isNumber) { return }
            let kinds = Self.placeholders(safe, besides: text).map(\.kind)
            // What Basic says is in Base64.
            for kind in kinds.isEmpty ? ["basic"] : kinds { findings.append(Finding(place: line + "\(pointer)", kind: kind)) }
        default: break
        }
    }

    private mutating func search(_ text: String, from first: Int = 1) {
        redaction.isOfFiles = true
        defer { redaction.isOfFiles = false }
        let safe = redaction.body(text)
        for (kind, place) in Self.placeholders(safe, besides: text) {
            findings.append(Finding(place: "line \(first + safe[..<place].count { $0 == "\n" })", kind: kind))
        }
    }

    /// Those that the text had not before.
    private static func placeholders(_ shown: String, besides text: String) -> [(kind: String, place: String.Index)] {
        let pattern = #/(?:«|%C2%AB)([a-z]+):[0-9]+(?:»|%C2%BB)/#
        var had = text.matches(of: pattern).map { String($0.output.0) }
        return shown.matches(of: pattern).compactMap { match in
            if let place = had.firstIndex(of: String(match.output.0)) {
                had.remove(at: place)
                return nil
            }
            return (String(match.output.1), match.range.lowerBound)
        }
    }
}
