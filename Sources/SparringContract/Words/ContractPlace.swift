/// A place in a contract, for a reader and for an overlay that would change what it says.
public struct ContractPlace: Sendable, Hashable {
    /// The contract's file, as it was named when it was read.
    public let document: String
    /// The file in which it is written: the document's, or that of an overlay that brought it.
    public let file: String
    /// From 1.
    public let line: Int
    private let trail: PlaceTrail
    /// The number of the path's last step in the trail.
    private let step: Int

    init(document: String, file: String, line: Int, _ trail: PlaceTrail, step: Int) {
        (self.document, self.file, self.line, self.trail, self.step) = (document, file, line, trail, step)
    }

    /// The place in the document: a JSONPath of one value (RFC 9535), such as `$.components.schemas.Login`. It is written on demand, because a contract
    /// has thousands of places, and few are ever shown.
    public var path: String { trail.path(step) }

    /// A member of the value.
    func path(_ name: String) -> String { path + JSONPathText.member(name) }

    public static func == (a: ContractPlace, b: ContractPlace) -> Bool {
        (a.document, a.file, a.line) == (b.document, b.file, b.line) && (a.trail === b.trail && a.step == b.step || a.path == b.path)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(document)
        hasher.combine(file)
        hasher.combine(line)
    }
}

/// The paths to the values of a document, each as its last step.
final class PlaceTrail: Sendable {
    /// One step from the value around it.
    enum Step: Sendable {
        case root
        case item(Int, of: Int)
        case member(String, of: Int)
    }

    private let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    func path(_ number: Int) -> String {
        switch steps[number] {
        case .root: "$"
        case .item(let index, let around): path(around) + JSONPathText.item(index)
        case .member(let name, let around): path(around) + JSONPathText.member(name)
        }
    }
}
