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
        /// The same lines, and the request and the answer.
        case verbose
    }

    var form: Form
    /// The redaction that hides credentials; nil: they are shown.
    var redaction: Redaction?
    /// No more entries come than are there: they are printed at the end, since a later one may have a credential of an earlier one.
    var isWhole = false
    private var held: [JSON] = []

    init(form: Form, redaction: Redaction? = nil) { (self.form, self.redaction) = (form, redaction) }

    /// Prints an entry, now or at the end.
    mutating func print(_ entry: JSON, _ write: (String) throws -> Void) throws {
        guard redaction != nil, isWhole else { return try write(text(entry)) }
        held.append(entry)
        redaction?.gather(entry)
    }

    /// Prints what is left.
    mutating func end(_ write: (String) throws -> Void) throws {
        for entry in held { try write(text(entry)) }
        held = []
    }

    mutating func text(_ entry: JSON) -> String {
        let shown = shown(entry)
        switch form {
        case .json: return shown.text
        case .brief(let width): return EntryLine.text(shown, width: width)
        case .full: return EntryText.text(shown)
        case .verbose: return ([EntryText.text(shown)] + ExchangeText.lines(shown)).joined(separator: "\n")
        }
    }

    mutating func text(unplaced entry: JSON) -> String {
        let shown = shown(entry)
        if case .json = form { return shown.text }
        return EntryLine.text(unplaced: shown)
    }

    /// A page of entries.
    mutating func text(document: JSON) -> String { shown(document).text }

    private mutating func shown(_ json: JSON) -> JSON { redaction?.document(json) ?? json }
}
