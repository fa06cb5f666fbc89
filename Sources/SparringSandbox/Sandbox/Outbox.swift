package import SparringContract
public import SparringJSON
public import SparringJournal
import SparringLocks
import SparringVariation

/// Everything that a call, a timer or a hang-up sends beyond the caller's own answer. It goes out after the commit, in this order, and each
/// item has its journal entry in that commit.
public final class Outbox: Sendable {
    package struct Item: Sendable {
        package var socket: Socket
        var action: Action
        var cause: Cause?
        /// The faults that strike it, chosen when it is recorded.
        var disturbance = Disturbance()
        /// How it goes out, where that is otherwise than it was decided.
        var varied: VariedMessage?

        /// Nil: it is none of Sparring's own.
        fileprivate var message: ContractMessage? { if case .send(let message, _, _) = action { message } else { nil } }
    }

    enum Action: Sendable {
        case send(ContractMessage, JSON, SocketReply)
        case end(Fault.Ending.How)
        /// A message of the vendor's own server, as it is.
        case relay(ContractMessage?, [UInt8], [Finding])
    }

    /// The sandbox, tenant, origin and mark of its ``Occasion``.
    let sandbox: Sandbox
    let tenant: Tenant
    let origin: JournalEntry.Origin
    let mark: String?
    private let items = Mutex<[Item]>([], .first)

    init(_ sandbox: Sandbox, _ tenant: Tenant, _ origin: JournalEntry.Origin, mark: String?) {
        (self.sandbox, self.tenant) = (sandbox, tenant)
        (self.origin, self.mark) = (origin, mark)
    }

    package var all: [Item] { items.withLock { $0 } }
    package var isEmpty: Bool { items.withLock { $0.isEmpty } }

    /// Chooses what strikes each message that is sent.
    func disturb(_ choose: (Socket, ContractMessage, JSON) -> Disturbance) {
        items.withLock { items in
            for index in items.indices {
                switch items[index].action {
                case .send(let message, let body, _): items[index].disturbance = choose(items[index].socket, message, body)
                case .relay(let message?, let bytes, _):
                    items[index].disturbance = choose(items[index].socket, message, (try? JSON(parsing: bytes)) ?? .null)
                case .relay, .end: break
                }
            }
        }
    }

    /// Chooses how each message of Sparring's own goes out; after it was decided what strikes it.
    ///
    /// - Parameter count: of the messages of its kind that its recipient has got.
    func vary(_ count: (Socket, ContractMessage) throws -> VariationSubject) rethrows {
        try items.withLock { items in
            for index in items.indices {
                guard case .send(let message, let body, _) = items[index].action else { continue }
                let subject = try count(items[index].socket, message)
                items[index].varied = VariedMessage(message, body, to: items[index].socket, subject)
            }
        }
    }

    /// Puts the messages that overtake the one before them in its place: in the journal they stand where they were decided.
    func reorder() {
        items.withLock { items in
            var index = 1
            while index < items.count {
                if items[index].varied?.overtakes == true, items[index].socket === items[index - 1].socket,
                    items[index - 1].message != nil
                {
                    items.swapAt(index, index - 1)
                    index += 1
                }
                index += 1
            }
        }
    }

    /// Sends a notification.
    ///
    /// - Parameters:
    ///   - message: the id of one of the channel's messages that Sparring sends.
    ///   - answersHeld: it is the answer to the message that is held.
    /// - Throws: ``ToolError`` where the channel has none of that name.
    public func send(_ message: String, _ body: JSON, to socket: Socket, answersHeld: Bool = false, cause: Cause? = nil) throws {
        guard let declared = socket.channel.sent.first(where: { $0.id == message }) else {
            throw ToolError("channel \(socket.channel.name) does not declare the message '\(message)'")
        }
        items.withLock { items in
            for copy in 0..<declared.times {
                let reply: SocketReply = answersHeld && copy == 0 ? .held : .none
                items.append(Item(socket: socket, action: .send(declared, body, reply), cause: cause))
            }
            // Those that come after it by the contract.
            let late = items.filter { $0.socket === socket && $0.message?.after == declared.id }
            guard !late.isEmpty else { return }
            items.removeAll { $0.socket === socket && $0.message?.after == declared.id }
            items += late
        }
    }

    /// Sends what the vendor's own server has sent.
    ///
    /// - Parameters:
    ///   - message: what it is by the contract; nil: nothing that is sent unasked.
    ///   - findings: what in it breaks the contract.
    package func relay(_ bytes: [UInt8], as message: ContractMessage?, _ findings: [Finding], to socket: Socket) {
        items.withLock { $0.append(Item(socket: socket, action: .relay(message, bytes, findings))) }
    }

    public func close(_ socket: Socket, _ code: UInt16, _ reason: String = "", cause: Cause) {
        end(socket, .close(code: socket.channel.onWire(closeCode: code), reason: reason), cause: cause)
    }

    public func abort(_ socket: Socket, cause: Cause) { end(socket, .abort, cause: cause) }

    package func ends(_ socket: Socket) -> Bool {
        all.contains { item in
            if case .end = item.action { item.socket === socket } else { false }
        }
    }

    package func end(_ socket: Socket, _ how: Fault.Ending.How, cause: Cause) {
        items.withLock { $0.append(Item(socket: socket, action: .end(how), cause: cause)) }
    }
}
