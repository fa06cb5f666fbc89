internal import SparringJSON

/// The messages of a vendor's sockets, from an AsyncAPI 3.0 document.
extension ContractReader {
    struct MessageDocument {
        var operations: [ContractOperation]
        var channels: [ContractChannel]
    }

    /// - Parameters:
    ///   - http: what the vendor's OpenAPI file declares, of which some open the channels.
    ///   - tags: those that it declares; they may be used here too.
    func messageDocument(
        openedBy http: [ContractOperation], in httpFile: String, tags known: Set<String>
    ) throws(ContractError) -> MessageDocument {
        let fields = try fields(
            root, of: "the document",
            known: ["asyncapi", "info", "defaultContentType", "servers", "channels", "operations", "components"])
        let version = try fields.require("asyncapi")
        guard try string(version).hasPrefix("3.0.") else { throw error("only AsyncAPI 3.0 is supported", at: version) }
        let info = try self.fields(try fields.require("info"), of: "info", known: ["title", "version", "description", "tags"])
        _ = try string(try info.require("title"))
        _ = try string(try info.require("version"))
        tags = known.union(try tags(info["tags"]))
        defaultContentType = try contentType(fields["defaultContentType"])
        try sockets(fields["servers"])
        try index(fields["components"], sections: ["messages", "schemas"])

        var drafts = try channels(try fields.require("channels"), openedBy: http, in: httpFile)
        let operations = try messageOperations(try fields.require("operations"), of: &drafts, besides: http, in: httpFile)
        if !isChecked {
            for draft in drafts {
                try refuseAmbiguity(in: draft)
                try verifyOrder(of: draft)
            }
        }
        let channels = drafts.map { draft in
            ContractChannel(
                name: draft.name, openers: draft.openers, pollers: draft.pollers, received: draft.received, sent: draft.sent,
                misunderstanding: draft.misunderstanding, isBatched: draft.isBatched, closeCodes: draft.closeCodes,
                line: draft.entry.place.line)
        }
        if !isChecked {
            for (channel, draft) in zip(channels, drafts) { try verifyExamples(of: channel, draft) }
            try verifyMessageComponents(fields["components"])
            try schemas.refuseStrayStandIns()
        }
        return MessageDocument(operations: operations, channels: channels)
    }

    func contentType(_ node: YAMLNode?) throws(ContractError) -> String {
        guard let node else { return defaultContentType }
        let type = try string(node)
        guard ["application/json", "text/plain"].contains(type) else {
            throw error("messages are application/json or text/plain here", at: node)
        }
        return type
    }

    private func sockets(_ node: YAMLNode?) throws(ContractError) {
        for entry in try entries(node) {
            let server = try fields(entry.value, of: "a server", known: ["host", "protocol", "title", "summary", "description"])
            _ = try string(try server.require("host"))
            let scheme = try server.require("protocol")
            guard try ["ws", "wss"].contains(string(scheme)) else { throw error("protocol is ws or wss here", at: scheme) }
        }
    }

    /// Also what no operation uses has to be sound.
    private func verifyMessageComponents(_ node: YAMLNode?) throws(ContractError) {
        for section in try entries(node) {
            for component in try entries(section.value) {
                switch section.key {
                case "schemas": try schemas.verify(component.value, at: JSONPointer(tokens: ["components", "schemas", component.key]))
                default: _ = try message(component.value, key: component.key)
                }
            }
        }
    }

    private func refuseAmbiguity(in channel: ChannelDraft) throws(ContractError) {
        for (index, operation) in channel.received.enumerated() {
            for other in channel.received[..<index] where operation.mayBeTaken(for: other) {
                throw ContractError(
                    file: operation.file, line: operation.line,
                    message: "operations '\(operation.id)' and '\(other.id)' (line \(other.line)) fit the same messages of channel "
                        + "'\(channel.name)': a const in the payload of one of them must distinguish them")
            }
        }
    }

    /// An example that another operation with more constants would get shows that its own never will.
    private func verifyExamples(of channel: ContractChannel, _ draft: ChannelDraft) throws(ContractError) {
        for operation in channel.received {
            for example in draft.examples[operation.id] ?? [] {
                guard case .found(let found) = channel.match(example.value, isText: example.isText), found != operation else { continue }
                throw error("example '\(example.name)' of '\(operation.id)' is a message for '\(found.id)'", at: example.place)
            }
        }
    }
}
