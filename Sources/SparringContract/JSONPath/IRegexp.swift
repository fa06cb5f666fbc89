internal import SparringPattern

/// The regular expressions of `match` and `search` (I-Regexp, RFC 9485).
enum IRegexp {
    /// False for what is no expression.
    static func isFound(_ expression: String, in text: String, isWhole: Bool) -> Bool {
        let ecma = toECMA(expression)
        guard let pattern = try? Pattern(isWhole ? "^(?:\(ecma))$" : ecma, dialect: .ecma) else { return false }
        return pattern.isFound(in: text)
    }

    /// `.` is anything but the ends of lines that XML Schema has (RFC 9485 §5.3).
    private static func toECMA(_ expression: String) -> String {
        var result = "", isEscaped = false, isInClass = false
        for scalar in expression.unicodeScalars {
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "\\": isEscaped = true
            case "[": isInClass = true
            case "]": isInClass = false
            case "." where !isInClass:
                result += "[^\\n\\r]"
                continue
            default: break
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
