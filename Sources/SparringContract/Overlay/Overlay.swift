internal import SparringJSON

/// Changes of one of a contract's documents, without a change of its file (OpenAPI Overlay 1.0 and 1.1). AsyncAPI documents are changed in the same way.
public struct Overlay: Sendable {
    public let file: String
    /// The name of the contract's file that it changes (`extends`).
    public let document: String
    /// The vendor that the contract belongs to.
    var vendor: String { String(document.prefix { $0 != "." }) }
    let actions: [OverlayAction]
    /// The place of `extends`.
    let place: YAMLPlace
}

extension Overlay {
    /// - Throws: ``ContractError`` where the file cannot be read, or is no overlay.
    public init(file: String) throws(ContractError) { try self.init(parsing: try YAMLFile.text(of: file), file: file) }

    /// - Throws: ``ContractError`` with the line of what is wrong.
    public init(parsing text: String, file: String) throws(ContractError) {
        self = try OverlayReader(root: try YAMLNode(parsing: text, file: file)).overlay(file: file)
    }
}

/// An Action Object (Overlay 1.1 §4.3.3).
struct OverlayAction: Sendable {
    enum Change: Sendable {
        case update(YAMLNode)
        case remove
        /// The path is of one value.
        case copy(JSONPath)
    }

    let target: JSONPath
    let change: Change
    /// The place of the target.
    let place: YAMLPlace
    /// The place of the change.
    let changePlace: YAMLPlace
}

/// An action of an overlay that changed nothing, which the specification calls a success and is a mistake all the same; or a name that is gone.
public struct OverlayWarning: Sendable, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var message: String

    public var description: String { "\(file):\(line): \(message)" }
}
