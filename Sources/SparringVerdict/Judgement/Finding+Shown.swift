import SparringJSON
import SparringJournal

extension Finding {
    /// Without credentials: reports are shown to others.
    func shown(of event: Event) -> Finding {
        var shown = self
        shown.words = Redaction.words(words) { event.json }
        shown.place = place.map { Redaction.words($0) { event.json } }
        shown.member = member.map { Redaction.words($0) { event.json } }
        return shown
    }
}
