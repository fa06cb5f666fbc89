/// The values of a path template's parameters, decoded. There are few of them: looking through them costs less than hashing their names.
public struct PathParameters: Sendable {
    private var all: [(name: String, value: String)] = []

    package init(_ values: [String: String]) { all = values.map { ($0.key, $0.value) } }

    /// - Parameter capacity: how many there will be.
    init(capacity: Int) { all.reserveCapacity(capacity) }

    package var names: [String] { all.map(\.name) }

    public subscript(_ name: String) -> String? {
        get { all.first { $0.name == name }?.value }
        set {
            all.removeAll { $0.name == name }
            if let newValue { all.append((name, newValue)) }
        }
    }

    /// Adds one that is not among them yet.
    mutating func append(_ name: String, _ value: String) { all.append((name, value)) }

    mutating func take(_ name: String) -> String? {
        defer { self[name] = nil }
        return self[name]
    }

    package var byName: [String: String] { Dictionary(all.map { ($0.name, $0.value) }) { first, _ in first } }
}

extension PathParameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral values: (String, String)...) { all = values.map { ($0, $1) } }
}
