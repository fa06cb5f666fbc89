import HTTPTypes
import SparringJSON

/// A parameter of an effect, or a condition: `name=value` behind a fault's effect.
struct FaultParameter: Sendable {
    /// The values that a parameter may have.
    enum Form: Sendable {
        case text, mediaType, window
        case number(ClosedRange<Int>)
        /// From 0 on.
        case fraction(upTo: Int)
        /// With `orSeconds`, also a number of seconds.
        case duration(orSeconds: Bool = false)
        case word([String])
        /// One of those that a contract declares.
        case declared([String])
        /// Many parameters: the name is only the beginning, and the rest the name of a header field, but for these.
        case header(reserved: Set<HTTPField.Name>)
        /// The same with a JSON Pointer.
        case pointer
    }

    let name: String
    let form: Form
    /// A sentence for people who edit a configuration.
    let about: String
    /// A value, for lists and editors; behind the rest of a name where ``name`` is only its beginning.
    let example: String
    let isRequired: Bool
    /// The value if none is given.
    let fallback: String?
    /// The value that the text form leaves out.
    let unwritten: String?
    /// A parameter that cannot be given at the same time.
    let excludes: String?
    /// A parameter that must be given at the same time, and why.
    let needs: (name: String, because: String)?
    /// The members that its JSON Schema has beyond those of ``form``.
    let narrowing: JSON

    init(
        _ name: String, _ form: Form, _ about: String = "", example: String = "", isRequired: Bool = false, fallback: String? = nil,
        unwritten: String? = nil, excludes: String? = nil, needs: (name: String, because: String)? = nil, narrowing: JSON = [:]
    ) {
        (self.name, self.form, self.about, self.example, self.isRequired) = (name, form, about, example, isRequired)
        (self.fallback, self.unwritten, self.excludes, self.needs, self.narrowing) = (fallback, unwritten, excludes, needs, narrowing)
    }

    var isPointer: Bool { if case .pointer = form { true } else { false } }
    /// Whether ``name`` is only the beginning of a name.
    var isPrefix: Bool { if case .header = form { true } else { isPointer } }

    /// The parameter with an example, as in `retry-after=30s`.
    var usage: String {
        switch form {
        case .declared(let words): "\(name)=\(words.joined(separator: "|"))"
        case .header: name + example
        default: "\(name)=\(FaultWords.quoted(example))"
        }
    }

    /// A value, with its usual text.
    ///
    /// - Parameter name: the whole name, where ``name`` is a beginning.
    func value(_ text: String, of name: String) throws(FaultRefused) -> (any Sendable, String) {
        func refused(_ wanted: String, nearestIn words: [String] = []) -> FaultRefused {
            FaultRefused("\(name)=\(text) is not \(wanted)", nearest: words.isEmpty ? [] : Nearest.words(to: text, in: words))
        }
        let rest = String(name.dropFirst(self.name.count))
        switch form {
        case .text: break
        case .mediaType:
            guard text.split(separator: "/", omittingEmptySubsequences: false).count == 2, !text.hasPrefix("/"), !text.hasSuffix("/") else {
                throw refused("a media type such as text/html")
            }
        case .window:
            let window = try Fault.Window(text, of: name)
            return (window, "\(window.from.text)..\(window.to.text)")
        case .number(let range):
            guard let number = text.integer(in: range) else { throw refused("a whole number \(range.words)") }
            return (number, String(number))
        case .fraction(let most):
            guard let number = Double(text), (0...Double(most)).contains(number) else { throw refused("a number from 0 to \(most)") }
            return (number, String(number))
        case .duration(let orSeconds):
            guard let duration = Duration(text: text) ?? (orSeconds ? Duration(text: text + "s") : nil) else {
                throw refused("a duration such as 200ms, 2s, 10m or PT10M")
            }
            return (duration, duration.shortText)
        case .word(let words):
            guard words.contains(text) else { throw refused(Nearest.choice(of: words), nearestIn: words) }
        case .declared(let words):
            guard words.contains(text) else { throw refused("one of \(words.joined(separator: ", "))", nearestIn: words) }
        case .header(let reserved):
            guard let field = HTTPField.Name(rest), !reserved.contains(field) else {
                throw FaultRefused(
                    "'\(name)' is not " + (reserved.isEmpty ? "a header's name" : "the name of a header that a fault can set"))
            }
        case .pointer:
            guard rest.hasPrefix("/"), JSONPointer(rest) != nil else {
                throw FaultRefused("'\(name)' is not followed by a JSON Pointer such as /event/type (RFC 6901)")
            }
        }
        return (text, text)
    }
}

extension ClosedRange<Int> {
    /// `from 1 to 5`, or `of 1 or more`
    var words: String { upperBound == .max ? "of \(lowerBound) or more" : "from \(lowerBound) to \(upperBound)" }
}
