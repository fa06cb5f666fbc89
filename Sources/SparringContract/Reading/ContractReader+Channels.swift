internal import HTTPTypes
internal import SparringJSON

/// A channel while its operations are read.
struct ChannelDraft {
    let name: String
    let entry: YAMLEntry
    let openers: [ContractOperation]
    var pollers: [ContractOperation] = []
    let tenant: [ValueSource]
    /// The place of the status in a message that answers (`x-status`); nil: it has none.
    let status: JSONPointer?
    /// The messages, by their keys in the channel.
    let messages: [String: MessageDraft]
    var misunderstanding = ChannelMisunderstanding.usual
    var isBatched = false
    var closeCodes: [UInt16: UInt16] = [:]
    var received: [ContractOperation] = []
    var sent: [ContractMessage] = []
    /// The examples of what is received, by operation.
    var examples: [String: [MessageDraft.Example]] = [:]
}

extension ContractReader {
    /// Channels, and HTTP operations that answer 101, belong together: each of one has its other.
    func channels(
        _ node: YAMLNode, openedBy http: [ContractOperation], in httpFile: String
    ) throws(ContractError) -> [ChannelDraft] {
        var opened: [String: String] = [:]
        let channels = try entries(node).map { entry throws(ContractError) in
            try channel(entry, openedBy: http, in: httpFile, &opened)
        }
        for operation in http where operation.opensSocket && opened[operation.id] == nil {
            throw ContractError(
                file: httpFile, line: operation.line,
                message: "operation '\(operation.id)' answers 101, but no channel of \(file) has it as x-opened-by")
        }
        return channels
    }

    private func channel(
        _ entry: YAMLEntry, openedBy http: [ContractOperation], in httpFile: String, _ opened: inout [String: String]
    ) throws(ContractError) -> ChannelDraft {
        try require(entry, spelled: .operationID, "channel")
        let fields = try fields(
            entry.value, of: "a channel",
            known: [
                "address", "title", "summary", "description", "parameters", "messages", "x-opened-by", "x-tenant", "x-status",
                "x-misunderstood", "x-batched", "x-polled-by", "x-rewrite",
            ])
        var openers: [ContractOperation] = []
        let places = try fields.require("x-opened-by")
        for place in list(places) {
            let opener = try opener(place, among: http, in: httpFile)
            if let other = opened.updateValue(entry.key, forKey: opener.id) {
                throw error("'\(opener.id)' already opens channel '\(other)'", at: place)
            }
            openers.append(opener)
        }
        guard let opener = openers.first else { throw error("must not be empty", at: places) }
        let address = try fields.require("address")
        guard try string(address) == opener.pathTemplate else {
            throw error("address '\(try string(address))' is not the path of '\(opener.id)': \(opener.pathTemplate)", at: address)
        }
        try verify(fields["parameters"], of: opener, at: address)
        // A source that only one of the openers has yields nothing on the others.
        let parameters = openers.flatMap(\.parameters).map { PlacedParameter(parameter: $0, place: places) }
        var draft = ChannelDraft(
            name: entry.key, entry: entry, openers: openers,
            tenant: try tenantSources(fields["x-tenant"], parameters, body: nil),
            status: try pointer(fields["x-status"]),
            messages: try channelMessages(try fields.require("messages")))
        draft.misunderstanding = try misunderstanding(fields["x-misunderstood"], draft)
        draft.isBatched = try bool(fields["x-batched"])
        draft.closeCodes = try closeCodes(fields["x-rewrite"])
        draft.pollers = try (fields["x-polled-by"].map(list) ?? []).map { place throws(ContractError) in
            try poller(place, of: opener, among: http, in: httpFile)
        }
        return draft
    }

    private func pointer(_ node: YAMLNode?) throws(ContractError) -> JSONPointer? {
        guard let node else { return nil }
        let text = try string(node)
        guard let pointer = JSONPointer(text) else { throw error("'\(text)' is not a JSON Pointer (RFC 6901), such as /code", at: node) }
        return pointer
    }

    /// The node itself where it is no list.
    func list(_ node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let elements) = node.content { elements } else { [node] }
    }

    private func opener(
        _ place: YAMLNode, among http: [ContractOperation], in httpFile: String
    ) throws(ContractError) -> ContractOperation {
        let id = try string(place)
        guard let operation = http.first(where: { $0.id == id }) else {
            let hint = Nearest.hint(for: id, in: http.filter(\.opensSocket).map(\.id))
            throw error("x-opened-by names '\(id)', which is not an operation of \(httpFile)\(hint)", at: place)
        }
        guard operation.method == .get, operation.opensSocket else {
            throw error("x-opened-by names '\(id)', which is not a GET with an answer of status 101", at: place)
        }
        return operation
    }

    /// Its requests are placed, and its messages read, as those of a socket that the opener opens.
    private func poller(
        _ place: YAMLNode, of opener: ContractOperation, among http: [ContractOperation], in httpFile: String
    ) throws(ContractError) -> ContractOperation {
        let id = try string(place)
        guard let operation = http.first(where: { $0.id == id }) else {
            throw error(
                "x-polled-by names '\(id)', which is not an operation of \(httpFile)\(Nearest.hint(for: id, in: http.map(\.id)))", at: place
            )
        }
        guard operation.pathTemplate == opener.pathTemplate, !operation.opensSocket else {
            throw error(
                "x-polled-by names '\(id)', which is not a call of \(opener.pathTemplate), the path of '\(opener.id)', without an answer of status 101",
                at: place)
        }
        return operation
    }

    /// The address is the opener's path, so its parameters are described there; here they are named, as AsyncAPI asks.
    private func verify(_ node: YAMLNode?, of opener: ContractOperation, at address: YAMLNode) throws(ContractError) {
        let names = opener.template.parameters
        var described: Set<String> = []
        for entry in try entries(node) {
            guard names.contains(entry.key) else {
                throw error("parameter '\(entry.key)' is not in the address\(Nearest.hint(for: entry.key, in: names))", at: entry)
            }
            _ = try fields(entry.value, of: "a parameter", known: ["description", "enum", "default", "examples"])
            described.insert(entry.key)
        }
        for name in names where !described.contains(name) {
            throw error("parameter '\(name)' of the address is not among the channel's parameters", at: address)
        }
    }
}

extension ContractOperation {
    /// Whether an answer of it turns the connection into a socket (RFC 9110 §15.2.2).
    public var opensSocket: Bool { !isMessage && answers.contains { $0.status == 101 } }
}
