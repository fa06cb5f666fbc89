import Foundation
import SparringContract
package import SparringJSON
import SparringJournal

/// A request or an answer as a journal's entry keeps it.
package struct RecordedHalf {
    package let json: JSON

    package init?(_ json: JSON?) {
        guard let json else { return nil }
        self.json = json
    }

    package var headers: [(name: String, value: String)] { (json["headers"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") } }

    package func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    package var mediaType: String? { header("Content-Type") }
    /// Its essence, in lower case.
    package var essence: String { (mediaType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() }

    /// The body as text; nil where it is none, or there is none.
    package var text: String? { json["body"]?.string }
    /// A body that is no text, in base64.
    package var base64: String? { json["bodyHex"]?.string.map { Data(JournalEntry.bytes(ofHex: $0)).base64EncodedString() } }
    /// Bytes of the whole body, of which the journal may have kept only the beginning.
    package var size: Int {
        json["bodySize"]?.integer(in: 0...Int.max) ?? text?.utf8.count ?? (json["bodyHex"]?.string?.utf8.count ?? 0) / 2
    }
    package var isWhole: Bool { json["bodySize"] == nil }
    /// Nil where it is not JSON.
    package var value: JSON? { text.flatMap { try? JSON(parsing: $0) } }

    package var target: String { json["target"]?.string ?? "" }
    /// The target's path, as it was sent.
    package var path: String { String(target.prefix { $0 != "?" && $0 != "#" }) }
    /// Decoded, in the order sent.
    package var query: [(name: String, value: String)] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return PercentCoding.fields(target[target.index(after: mark)...])
    }
}
