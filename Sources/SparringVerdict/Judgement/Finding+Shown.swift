import SparringJSON
import SparringJournal

extension Finding {
    /// Without credentials: reports are shown to others.
    ///
    /// - Parameter redaction: the report's.
    func shown(of event: Event, _ redaction: inout Redaction) -> Finding {
        var shown = self
        shown.words = redaction.words(words) { event.json }
        // By these two a finding is known again in another run.
        var plain = Redaction(.plain)
        shown.place = place.map { plain.words($0) { event.json } }
        shown.member = member.map { plain.words($0) { event.json } }
        shown.actions = actions.map { redaction.document($0) }
        shown.stub = stub.map { redaction.command($0) }
        return shown
    }
}
