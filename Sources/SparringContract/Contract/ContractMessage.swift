public import SparringJSON

/// A message that the vendor sends unprompted, a notification (AsyncAPI 3.0: an operation of action `send`).
public final class ContractMessage: Sendable {
    public let vendor: String
    public let id: String
    /// `vendor.id`.
    public let qualifiedName: String
    /// Its only tag.
    public let tag: String
    /// The name of the ``ContractChannel`` that it is sent on.
    public let channel: String
    /// The message's name on the wire, where the contract gives one (`name`); else its key in the channel.
    public let name: String
    public let summary: String?
    public let schema: Schema
    /// It is the text of its frame as it stands (`contentType: text/plain`), else JSON.
    public let isText: Bool
    /// Never empty; an example without a name is called by its number, from 1.
    public let examples: [(name: String, value: JSON)]
    /// Those of the examples that may come at any time, and change nothing (`x-unasked`).
    package let unasked: [JSON]
    public let fidelity: Fidelity
    /// The basis of the fidelity (`x-source`).
    public let source: String
    /// The line of the operation's id, in the contract's `*.asyncapi.yaml`.
    public let line: Int
    /// The changes on the wire to what Sparring's code sends (`x-rewrite`); nil: there are none.
    let rewrite: MessageRewrite?

    /// The first one.
    public var example: JSON { examples[0].value }

    init(
        vendor: String, id: String, tag: String, channel: String, name: String, summary: String?, schema: Schema, isText: Bool,
        examples: [(name: String, value: JSON)], footing: (fidelity: Fidelity, source: String), unasked: [JSON],
        line: Int, rewrite: MessageRewrite?
    ) {
        (self.vendor, self.id, qualifiedName) = (vendor, id, "\(vendor).\(id)")
        (self.tag, self.channel, self.summary, self.line) = (tag, channel, summary, line)
        (self.name, self.schema, self.isText, self.examples) = (name, schema, isText, examples)
        (fidelity, source) = footing
        self.rewrite = rewrite
        self.unasked = unasked
    }
}

extension ContractMessage {
    /// In what a message that is sent is not as the contract says.
    public func check(_ body: JSON) -> [Violation] { schema.violationsOfBody(body) }

    /// Members of a message that the contract does not know and lets through.
    public func undeclared(in body: JSON) -> [Violation] { schema.undeclaredInBody(body) }

    /// A body that the vendor's code has made, as it goes over the wire.
    public func onWire(_ body: JSON) -> JSON {
        let named = schema.onWire(body)
        return rewrite.flatMap { $0.body.applied(to: named) } ?? named
    }

    /// The place on the wire of what the code knows at `pointer`.
    public func onWire(_ pointer: JSONPointer) -> JSONPointer { schema.onWire(pointer) }

    /// Whether any of its members has another name on the wire than in Sparring's own code.
    public var hasStandIns: Bool { schema.hasStandIns }

    /// How often it is sent in place of once.
    public var times: Int { rewrite?.times ?? 1 }

    /// The id of a message that precedes it, where both are sent together.
    public var after: String? { rewrite?.after }

    /// A body that the vendor's code has made, as the bytes of its frame.
    public func frame(_ body: JSON) -> [UInt8] { isText ? Array((body.string ?? body.text).utf8) : onWire(body).bytes }
}

extension ContractOperation {
    /// Compares a message that came on a socket with what the contract says, for an operation of a channel.
    ///
    /// - Parameter isText: the same as for ``ContractChannel/read(_:)``.
    public func check(message: JSON, isText: Bool = false) -> CheckedRequest {
        let media = (requestBody?.mediaTypes ?? []).filter { ($0.type == "text/plain") == isText }
        // Of several spellings the one whose constants the message has.
        let spelling = media.count == 1 ? media[0] : media.first { $0.schema.map { MessagePattern($0).score(message) != nil } ?? true }
        let schema = (spelling ?? media.first)?.schema
        return CheckedRequest(
            body: message, schema, found: schema.map { $0.violationsOfBody(message) + $0.undeclaredInBody(message) } ?? [])
    }
}

extension Schema {
    /// Members that the schema does not know and lets through.
    func undeclaredInBody(_ body: JSON) -> [Violation] {
        var members = UndeclaredMembers(library)
        members.look(in: body, [index])
        return members.found.map { Violation(inBody: $0, of: self) }
    }

    func violationsOfBody(_ body: JSON) -> [Violation] {
        violations(in: body).map { Violation(inBody: $0, of: self) }
    }
}
