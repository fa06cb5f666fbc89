/// Something that a vendor can be made to do amiss beyond its unhappy answers, declared at the operation (`x-effects`): a fault by its name.
public struct DeclaredEffect: Sendable {
    /// Spelled like an answer's name.
    public let word: String
    public let summary: String
    /// Each must be given, with one of its values.
    public let parameters: [(name: String, values: [String])]
}
