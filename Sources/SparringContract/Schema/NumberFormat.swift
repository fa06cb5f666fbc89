internal import SparringJSON

/// The formats of numbers that a JSON text can violate (OpenAPI 3.1 §4.4).
enum NumberFormat: String, Sendable, CaseIterable {
    case int32, int64

    func accepts(_ number: JSON) -> Bool {
        switch self {
        case .int32: number.integer.flatMap(Int32.init(exactly:)) != nil
        case .int64: number.integer != nil
        }
    }
}
