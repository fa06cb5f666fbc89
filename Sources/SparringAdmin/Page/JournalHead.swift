import SparringJSON
import SparringJournal

/// The part of an entry that the stream sends: enough for a line, without bodies and headers.
enum JournalHead {
    /// Characters of a text; the entry itself has all of it.
    private static let longestText = 300

    /// - Parameters:
    ///   - entry: as the admin API shows it.
    ///   - tags: of operations and messages, by their names.
    static func json(of entry: JSON, tags: [String: String]) -> JSON {
        let (request, answer) = (entry["request"], entry["answer"])
        let varied = JournalEntry.Variation.families(of: entry["varied"])
        let findings = entry["findings"]?.array?.map { finding -> JSON in
            .members(["code": finding["code"], "place": short(finding["place"]), "words": short(finding["words"])])
        }
        return .members([
            "number": entry["number"], "kind": entry["kind"], "operation": entry["operation"],
            "tag": entry["operation"]?.string.flatMap { tags[$0] }.map { .string($0) }, "lane": entry["lane"],
            "actor": entry["actor"], "ordinal": entry["ordinal"], "cause": short(entry["cause"]), "causeCode": entry["causeCode"],
            "causedBy": entry["causedBy"], "sandboxTime": entry["sandboxTime"], "wall": entry["arrival"]?["wall"],
            "connection": request?["connection"], "socket": entry["details"]?["socket"], "method": request?["method"],
            "target": short(request?["target"]), "status": answer?["status"], "answer": answer?["name"], "outcome": answer?["outcome"],
            "delivery": short(answer?["delivery"]), "received": answer?["received"], "findings": findings.map { .array($0) },
            "faults": entry["faults"], "effects": entry["effects"],
            "varied": varied.isEmpty ? nil : .array(varied.map { .string($0) }),
        ])
    }

    private static func short(_ text: JSON?) -> JSON? { text?.string.map { .string($0.abbreviated(to: longestText)) } }
}
