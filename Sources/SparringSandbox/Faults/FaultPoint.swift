package import HTTPTypes
package import SparringContract
package import SparringJSON
package import SparringJournal

/// A point that a fault may strike: an operation of a contract, or a message that a vendor sends unprompted.
package struct FaultPoint: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case call = "a call"
        /// A call that opens a socket.
        case upgrade = "a socket's opening"
        /// One that a client sends on a socket, and its response.
        case message = "a client's message"
        /// One that the vendor sends unprompted.
        case notification = "a notification"
    }

    let kind: Kind
    let vendor: String
    let tag: String
    let id: String
    let hasBody: Bool
    /// The names of the unhappy answers.
    let refusals: Set<String>
    /// The misbehaviours that the contract declares here for the vendor's own code.
    let vendorEffects: [DeclaredEffect]
    /// Whether the point is that of all messages that clients send on a socket, with or without an operation. Only a fault that names this
    /// operation and has a condition on the message covers it, so that the counts of other faults do not change.
    let isSocket: Bool

    package init(_ operation: ContractOperation) {
        kind = operation.isMessage ? .message : operation.answers.contains { $0.status == 101 } ? .upgrade : .call
        vendor = operation.vendor
        tag = operation.tag
        id = operation.id
        hasBody = operation.requestBody != nil
        refusals = Set(operation.answers.filter(\.isUnhappy).map(\.name))
        vendorEffects = operation.effects
        isSocket = false
    }

    /// The messages of the sockets that `operation` opens, or whose client polls by it.
    package init(socketsOf operation: ContractOperation) {
        self.init(.message, operation.vendor, operation.tag, operation.id, isSocket: true)
    }

    init(_ message: ContractMessage) { self.init(.notification, message.vendor, message.tag, message.id, isSocket: false) }

    /// Messages, which have a body and no refusals.
    private init(_ kind: Kind, _ vendor: String, _ tag: String, _ id: String, isSocket: Bool) {
        (self.kind, self.vendor, self.tag, self.id, self.isSocket) = (kind, vendor, tag, id, isSocket)
        hasBody = true
        refusals = []
        vendorEffects = []
    }

    var qualifiedName: String { "\(vendor).\(id)" }
}

/// One call or message that may be struck, as far as a fault looks at it.
package struct FaultOccasion: Sendable {
    /// `vendor.id` of the operation or notification.
    var point: String
    var lane: String
    /// The tenant's id.
    var account: String
    var headers: HTTPFields
    /// The parsed body, or the message itself: as it is on the wire, and as the vendor's code knows it where that differs.
    var bodies: [JSON]
    var now: Timestamp
    /// `vendor.id` of the operation under which the journal has the socket that a client's message came in on; nil for anything else.
    var socket: String?
    /// A client's message as it came; nil: ``bodies`` has all of it.
    var frame: [UInt8]?

    package init(
        point: String, lane: String, account: String, headers: HTTPFields, bodies: [JSON], now: Timestamp, socket: String? = nil,
        frame: [UInt8]? = nil
    ) {
        (self.point, self.lane, self.account) = (point, lane, account)
        (self.headers, self.bodies, self.now) = (headers, bodies, now)
        (self.socket, self.frame) = (socket, frame)
    }

    /// The key under which the faults that can strike it are kept.
    var key: String { socket.map { "\(point) on \($0)" } ?? point }

    /// The text of a message.
    var text: String? { frame.map { String(decoding: $0, as: UTF8.self) } ?? bodies.first.map { $0.string ?? $0.text } }
}
