import SparringContract
import SparringJSON
import SparringJournal

extension [Violation] {
    /// Without those that a value is only guilty of because a placeholder stands for it: what it really was may well have been right.
    func heedingPlaceholders(in body: JSON?) -> [Violation] {
        filter { violation in
            guard [.pattern, .format, .value, .length, .alternative].contains(violation.kind) else { return true }
            if violation.message.holdsPlaceholder { return false }
            guard violation.part == .body, let pointer = JSONPointer(violation.pointer) else { return true }
            return body?[pointer]?.holdsPlaceholder != true
        }
    }
}

extension String {
    fileprivate var holdsPlaceholder: Bool { contains("«") || contains("%C2%AB") }
}

extension JSON {
    fileprivate var holdsPlaceholder: Bool {
        switch self {
        case .string(let text): text.holdsPlaceholder
        case .array(let items): items.contains(where: \.holdsPlaceholder)
        case .object(let members): members.values.contains(where: \.holdsPlaceholder)
        default: false
        }
    }
}
