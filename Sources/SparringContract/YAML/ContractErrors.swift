/// Several things that are wrong with a file.
public struct ContractErrors: Error, Sendable, CustomStringConvertible {
    /// At least two, in the order of their lines.
    public let all: [ContractError]

    public init(_ all: [ContractError]) { self.all = all }

    public var description: String { all.map(\.description).joined(separator: "\n") }
}
