import SparringJSON
import SparringJournal

/// How entries are printed.
struct JournalPrinter {
    enum Form {
        /// The server's JSON, one entry a line.
        case json
        /// One line that fits the terminal.
        case brief(width: Int)
        /// A line of what happened, and below it why.
        case full
        /// That, and what was sent and answered.
        case verbose
    }

    var form: Form
    /// Credentials are hidden.
    var redacts: Bool

    func text(_ entry: JSON) -> String {
        let shown = redacts ? Redaction.entry(entry) : entry
        switch form {
        case .json: return shown.text
        case .brief(let width): return EntryLine.text(shown, width: width)
        case .full: return EntryText.text(shown)
        case .verbose: return ([EntryText.text(shown)] + ExchangeText.lines(shown)).joined(separator: "\n")
        }
    }

    func text(unplaced entry: JSON) -> String {
        let shown = redacts ? Redaction.entry(entry) : entry
        if case .json = form { return shown.text }
        return EntryLine.text(unplaced: shown)
    }
}
