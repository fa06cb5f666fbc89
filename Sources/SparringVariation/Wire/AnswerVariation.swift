/// How an HTTP answer goes out, beside its body.
package struct AnswerVariation: Sendable {
    package enum Head: Int, Sendable, CaseIterable {
        case lowerCase, upperCase, reversed, added

        fileprivate var words: String {
            switch self {
            case .lowerCase: "header names in lower case"
            case .upperCase: "header names in upper case"
            case .reversed: "header fields in reverse order"
            case .added: "an additional header field"
            }
        }
    }

    package enum Framing: Int, Sendable, CaseIterable {
        case chunk, smallChunks, pieces, firstByte

        fileprivate var words: String {
            switch self {
            case .chunk: "chunked, in one chunk"
            case .smallChunks: "chunked, in chunks of up to 7 bytes, with extensions"
            case .pieces: "in pieces, with pauses between"
            case .firstByte: "the body's first byte alone, then a pause"
            }
        }
    }

    package private(set) var head: Head?
    package private(set) var framing: Framing?
    /// In place of the one that was decided.
    package private(set) var contentType: String?
    /// A name for what is added.
    package private(set) var word = ""
    /// Messages that the answer's own socket is sent go out before it.
    package private(set) var comesLast = false
    package private(set) var changes: [VariedPlace] = []

    /// - Parameters:
    ///   - contentType: that was decided; nil: there is none.
    ///   - hasBody: at least one byte.
    ///   - mayChunk: the client takes chunked bodies (RFC 9112 §7.1).
    package init(_ subject: VariationSubject, contentType: String?, hasBody: Bool, mayChunk: Bool) {
        func draw(_ family: VariationFamily, _ place: String, of choices: Int, _ words: (Int) -> String) -> VariationPick? {
            guard let pick = subject.pick(family, place, of: choices) else { return nil }
            changes.append(VariedPlace(pick.id, at: "", words(pick.index)))
            return pick
        }
        if let pick = draw(.headers, "head", of: Head.allCases.count, { Head.allCases[$0].words }) {
            (head, word) = (Head.allCases[pick.index], pick.word)
        }
        if let contentType {
            let spellings = Self.spellings(of: contentType)
            let pick = draw(.contentType, "content-type", of: spellings.count) { "Content-Type: \(contentType) → \(spellings[$0])" }
            if let pick { self.contentType = spellings[pick.index] }
        }
        let framings = Framing.allCases.filter { mayChunk || $0 == .pieces || $0 == .firstByte }
        if hasBody, let pick = draw(.framing, "body", of: framings.count, { framings[$0].words }) { framing = framings[pick.index] }
    }

    /// For a message on a socket that is answered.
    package init(ofMessage subject: VariationSubject) {
        guard let pick = subject.pick(.order, "last", of: 1) else { return }
        comesLast = true
        changes = [VariedPlace(pick.id, at: "", "after the messages that the call causes")]
    }

    private static func spellings(of type: String) -> [String] {
        let (essence, hasParameters) = (type.prefix { $0 != ";" }, type.contains(";"))
        let rest = type.dropFirst(essence.count)
        return (hasParameters ? [] : [type + "; charset=utf-8", type + ";charset=\"UTF-8\""]) + [essence.uppercased() + rest]
    }
}
