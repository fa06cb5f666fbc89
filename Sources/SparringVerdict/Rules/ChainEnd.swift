import SparringJSON

/// An event after which a client need not go on retrying: the user leaves the window, or the app starts again. It ends only the retries that belong to
/// it: closing the window ends the window's calls, and not a registration in the background.
///
/// ```yaml
/// unless:
///   - { mark: started }                                                     # all chains
///   - { mark: window-closed, of: [liveperson.Login.*, liveperson.openConsumerSocket] }
/// ```
struct ChainEnd: Sendable {
    let selector: Selector
    /// The operations whose chains it ends; nil: all.
    private let operations: [OperationName]?

    private init(_ json: JSON, at pointer: JSONPointer, _ vocabulary: Vocabulary) throws(ConfigurationError) {
        guard let members = json.object, members["of"] != nil else {
            selector = try Selector(json, at: pointer, vocabulary)
            operations = nil
            return
        }
        var bare = json
        bare["of"] = nil
        selector = try Selector(bare, at: pointer, vocabulary)
        operations = try vocabulary.operations("of", Declaration(json, at: pointer, known: Array(members.keys)))
    }

    /// One or a list of them; none where there is no such member.
    static func list(_ name: String, _ declaration: Declaration, _ vocabulary: Vocabulary) throws(ConfigurationError) -> [ChainEnd] {
        guard let json = declaration.json[name] else { return [] }
        let pointer = declaration.pointer.appending(name)
        guard let list = json.array else { return [try ChainEnd(json, at: pointer, vocabulary)] }
        return try list.enumerated().map { index, item throws(ConfigurationError) in
            try ChainEnd(item, at: pointer.appending(index), vocabulary)
        }
    }

    func ends(_ operation: OperationName) -> Bool { operations?.contains(operation) ?? true }
}
