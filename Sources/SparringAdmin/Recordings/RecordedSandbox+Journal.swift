package import SparringJSON
import SparringJournal

extension RecordedSandbox {
    /// The entries of a journal as they are shared, and the sandbox in which they were made; nil where there is no entry.
    ///
    /// - Parameters:
    ///   - entries: oldest first.
    ///   - made: the sandbox, as `GET /__admin/sandboxes/{sandbox}?made=true` shows it.
    ///   - withCredentials: otherwise placeholders stand for them.
    package static func recording(
        _ entries: [JSON], _ made: JSON, withCredentials: Bool
    ) -> (entries: [JSON], sandbox: RecordedSandbox?) {
        guard let begun = entries.first?["sandboxTime"]?.string.flatMap({ Timestamp($0) }) else { return (entries, nil) }
        if withCredentials { return (entries, RecordedSandbox(made, begun: begun)) }
        var redaction = Redaction(.recording)
        for entry in entries { redaction.gather(entry) }
        let hidden = entries.map { redaction.document($0) }
        let configurations = made["made"]?["configurations"] ?? [:]
        var shown = made
        shown["made"] = redaction.document(["creation": made["made"]?["creation"] ?? [:]])
        shown["made"]?["ids"] = made["made"]?["ids"]
        var recorded = RecordedSandbox(shown, begun: begun)
        recorded?.note(configurations, as: redaction.document(configurations))
        return (hidden, recorded)
    }
}
