package import SparringJSON

/// How a JSON text is written: all forms say the same (RFC 8259 §2, §4, §7).
package struct JSONForm: Sendable {
    /// Members of objects stand in reverse order.
    var isReversed = false
    /// White space stands wherever it may.
    var isSpaced = false
    /// Slashes, and characters beyond ASCII, are escaped.
    var isEscaped = false

    /// - Returns: nil where it is written as ever.
    package static func drawn(_ subject: VariationSubject) -> (form: JSONForm, changes: [VariedPlace])? {
        var form = JSONForm()
        var changes: [VariedPlace] = []
        func draw(_ place: String, _ words: String) -> Bool {
            guard let pick = subject.pick(.spelling, place, of: 1) else { return false }
            changes.append(VariedPlace(pick.id, at: "", words))
            return true
        }
        form.isReversed = draw("order", "members in reverse order")
        form.isSpaced = draw("spaces", "white space around everything")
        form.isEscaped = draw("escapes", "slashes and characters beyond ASCII escaped")
        return changes.isEmpty ? nil : (form, changes)
    }

    package func written(_ value: JSON) -> [UInt8] {
        var out = ""
        write(value, to: &out)
        return Array((isSpaced ? " \r\n\(out)\n " : out).utf8)
    }

    private func write(_ value: JSON, to out: inout String) {
        let (comma, colon) = isSpaced ? (" ,\n\t", "\t: ") : (",", ":")
        switch value {
        case .object(let members):
            let members = isReversed ? members.elements.reversed() : Array(members.elements)
            out += isSpaced ? "{ " : "{"
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { out += comma }
                write(name, to: &out)
                out += colon
                write(value, to: &out)
            }
            out += isSpaced ? " }" : "}"
        case .array(let items):
            out += isSpaced ? "[ " : "["
            for (index, item) in items.enumerated() {
                if index > 0 { out += comma }
                write(item, to: &out)
            }
            out += isSpaced ? " ]" : "]"
        case .string(let text): write(text, to: &out)
        case .integer, .number, .bool, .null: out += value.text
        }
    }

    private func write(_ text: String, to out: inout String) {
        let plain = JSON.string(text).text
        guard isEscaped else {
            out += plain
            return
        }
        for unit in plain.utf16 {
            switch unit {
            case 0x2F: out += "\\/"
            case 0x20...0x7E: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: out += "\\u" + String(String(0x10000 + Int(unit), radix: 16).dropFirst())
            }
        }
    }
}
