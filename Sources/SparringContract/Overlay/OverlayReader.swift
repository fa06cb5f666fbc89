internal import SparringJSON

/// Reads an overlay. Members that begin with `x-` are anybody's (Overlay 1.1 §4.6).
struct OverlayReader: YAMLReading {
    let root: YAMLNode

    func overlay(file: String) throws(ContractError) -> Overlay {
        let fields = try fields(root, of: "an overlay", known: ["overlay", "info", "extends", "actions"])
        let version = try fields.require("overlay")
        let number = try string(version)
        let isOf10 = number.hasPrefix("1.0.")
        guard isOf10 || number.hasPrefix("1.1.") else { throw error("only Overlay 1.0 and 1.1 are supported", at: version) }
        let info = try self.fields(try fields.require("info"), of: "info", known: ["title", "version", "description"])
        _ = try string(try info.require("title"))
        _ = try string(try info.require("version"))
        let list = try fields.require("actions")
        let actions = try elements(list).map { element throws(ContractError) in try action(element, isOf10: isOf10) }
        guard !actions.isEmpty else { throw error("an overlay needs at least one action", at: list) }
        guard let document = fields["extends"] else {
            throw root.error("an overlay needs 'extends', the name of the contract's file that it changes")
        }
        let name = try string(document).split(separator: "/").last.map(String.init) ?? ""
        return Overlay(file: file, document: name, actions: actions, place: document.place)
    }

    private func action(_ node: YAMLNode, isOf10: Bool) throws(ContractError) -> OverlayAction {
        let fields = try fields(node, of: "an action", known: ["target", "description", "update", "remove", "copy"])
        let target = try fields.require("target")
        let path = try path(target)
        if let copy = fields["copy"], isOf10 { throw error("'copy' is of Overlay 1.1", at: copy) }
        if try bool(fields["remove"]), let remove = fields["remove"] {
            return OverlayAction(target: path, change: .remove, place: target.place, changePlace: remove.place)
        }
        switch (fields["update"], fields["copy"]) {
        case (let update?, nil):
            return OverlayAction(target: path, change: .update(update), place: target.place, changePlace: update.place)
        case (nil, let copy?):
            return OverlayAction(target: path, change: .copy(try self.path(copy)), place: target.place, changePlace: copy.place)
        case (_?, _?): throw error("an action has either 'update' or 'copy'", at: node)
        case (nil, nil): throw error("an action has 'update', 'copy' or 'remove: true'", at: node)
        }
    }

    private func path(_ node: YAMLNode) throws(ContractError) -> JSONPath {
        let text = try string(node)
        do throws(JSONPathError) { return try JSONPath(text) } catch {
            throw self.error("'\(text)' is not a JSONPath: \(error)", at: node)
        }
    }

    /// Reads the fields as in every YAML file, but allows extensions.
    private func fields(_ node: YAMLNode, of what: String, known: [String]) throws(ContractError) -> YAMLFields {
        let entries = try entries(node)
        for entry in entries where !known.contains(entry.key) && !entry.key.hasPrefix("x-") { throw unknown(entry, in: what, known: known) }
        return YAMLFields(node: node, what: what, entries: entries)
    }
}
