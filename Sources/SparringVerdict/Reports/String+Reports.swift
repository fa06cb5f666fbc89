import SparringJSON

// Much of what a report says was said by strangers: lanes, marks and answers come off the wire. Each format keeps it harmless in its way.

extension String {
    /// Without what would steer a terminal, on one line.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Without the characters that no XML 1.0 document may have, however they are written (XML 1.0 §2.2), nor C1 controls.
    var xmlText: String {
        func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x9, 0xA, 0xD: false
            case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
        guard unicodeScalars.contains(where: isForbidden) else { return self }
        var kept = UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.lazy.filter { !isForbidden($0) })
        return String(kept)
    }

    /// For the text of an element and for an attribute in double quotes, in HTML and SVG.
    var markupEscaped: String {
        var out = ""
        out.unicodeScalars.reserveCapacity(unicodeScalars.count)
        for scalar in xmlText.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// At most this many characters, the last of them an ellipsis where some were left out.
    func clipped(to limit: Int) -> String { count <= limit ? self : prefix(limit - 1) + "…" }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

    /// The text with a capital at its beginning; names of operations and rules stay as they are.
    var capitalizedFirst: String {
        guard let first, let word = split(separator: " ").first, !word.contains("."), !word.contains("-") else { return self }
        return first.uppercased() + dropFirst()
    }
}

extension Double {
    /// Seconds as people read them, also where there are many.
    var span: String { magnitude < 7200 ? seconds : (self / 3600).rounded(to: 1) + " h" }

    /// With at most this many decimals: `1`, `1.5`, `0.25`.
    func rounded(to decimals: Int) -> String {
        var power = 1.0
        for _ in 0..<decimals { power *= 10 }
        let rounded = (self * power).rounded() / power
        guard rounded.magnitude < 1e15 else { return "\(rounded)" }
        return rounded == rounded.rounded() ? String(Int64(clamped: rounded)) : "\(rounded)"
    }
}
