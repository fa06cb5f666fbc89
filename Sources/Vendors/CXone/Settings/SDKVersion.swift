import SparringVendorKit

/// A version of an SDK: numbers with dots between.
struct SDKVersion: Comparable, Sendable, CustomStringConvertible {
    let numbers: [Int]

    /// Nil for what is none; what follows a hyphen or a plus sign is left out.
    init?(_ text: String) {
        let release = text.prefix { $0 != "-" && $0 != "+" }
        let numbers = release.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard !numbers.isEmpty, !numbers.contains(where: { ($0 ?? -1) < 0 }) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }

    var description: String { numbers.map(String.init).joined(separator: ".") }

    static func < (a: Self, b: Self) -> Bool {
        for index in 0..<max(a.numbers.count, b.numbers.count) {
            let (left, right) = (index < a.numbers.count ? a.numbers[index] : 0, index < b.numbers.count ? b.numbers[index] : 0)
            if left != right { return left < right }
        }
        return false
    }

    static func == (a: Self, b: Self) -> Bool { !(a < b) && !(b < a) }
}

extension SDKVersion: Decodable {
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let version = SDKVersion(text) else { throw decoder.refusal("\(text.quoted) is not a version such as 3.0.0") }
        self = version
    }
}
