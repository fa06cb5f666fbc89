internal import SparringJSON

/// How the names of the contract format are spelled. They end up in fault expressions, scenario files and Swift code, so they are strict.
enum Spelling {
    case vendor, operationID, tag, answer, tool, component, mediaType, status, fieldName

    /// The rule as an error shows it.
    var text: String {
        switch self {
        case .vendor, .answer: "[a-z][a-z0-9-]*"
        case .operationID: "[a-z][A-Za-z0-9]*"
        case .tool: "[a-z][a-z0-9_]*"
        case .tag: "[A-Z][A-Za-z0-9]*"
        case .component: "[A-Za-z0-9._-]+"
        case .mediaType: "type/subtype"
        case .status: "[1-5][0-9][0-9]"
        case .fieldName: "an HTTP field name (RFC 9110 §5.1)"
        }
    }

    func accepts(_ word: String) -> Bool {
        guard let first = word.utf8.first else { return false }
        let rest = word.utf8.dropFirst()
        switch self {
        case .vendor, .answer: return first.isLower && rest.allSatisfy { $0.isLower || $0.isDigit || $0 == UInt8(ascii: "-") }
        case .operationID: return first.isLower && rest.allSatisfy { $0.isLetterOrDigit }
        case .tool: return first.isLower && rest.allSatisfy { $0.isLower || $0.isDigit || $0 == UInt8(ascii: "_") }
        case .tag: return first.isUpper && rest.allSatisfy { $0.isLetterOrDigit }
        case .component: return word.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
        case .mediaType:
            let parts = MediaTypes.essence(of: word).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isToken) }
        case .status: return word.utf8.count == 3 && UInt8(ascii: "1")...UInt8(ascii: "5") ~= first && rest.allSatisfy(\.isDigit)
        case .fieldName: return word.utf8.allSatisfy(isToken)
        }
    }

    /// `tchar` (RFC 9110 §5.6.2).
    private func isToken(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte) }
}
