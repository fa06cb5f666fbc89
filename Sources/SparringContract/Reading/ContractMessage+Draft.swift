extension ContractMessage {
    convenience init(
        vendor: String, id: String, tag: String, channel: String, summary: String?, message: MessageDraft, fidelity: Fidelity,
        source: String, line: Int
    ) {
        self.init(
            vendor: vendor, id: id, tag: tag, channel: channel, name: message.name, summary: summary, schema: message.schema,
            isText: message.isText, examples: message.examples.map { ($0.name, $0.value) }, fidelity: fidelity, source: source, line: line)
    }
}
