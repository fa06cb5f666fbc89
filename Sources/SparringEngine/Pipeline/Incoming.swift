import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox
import SparringVariation

/// A request on its way through the pipeline, whether it came over the wire or from an emulated vendor in this process.
struct Incoming: Sendable {
    /// A disturbance by itself: nearly no request has one, and all carry its place with them.
    final class Chosen: Sendable {
        let disturbance: Disturbance
        init(_ disturbance: Disturbance) { self.disturbance = disturbance }
    }

    /// How it ended, with what only the inside may know.
    struct Ending: Sendable {
        var delivery: Delivery
        var answer: DeclaredAnswer?
        var cause: Cause?
        var disturbance: Disturbance?
        /// In which frames it goes out, of a message; nil: in one.
        var frames: FrameVariation?
        /// Its answer comes later.
        var isHeld = false
        /// Hears how the answer ended on the wire.
        var ended: (@Sendable (Completion) -> Void)?

        /// A client that waits will not learn of it.
        var isSilent: Bool {
            switch delivery {
            case .stall: true
            case .disturbed(_, let transmission): transmission.cut?.how == .stall
            default: false
            }
        }
    }

    var head: RequestHead
    var body: [UInt8]
    /// The exchange to suspend and resume; nil for a call from inside.
    var exchange: Exchange?
    /// The socket that a message came in on.
    var socket: Socket?
    /// The call or due work that brought this one about.
    var origin: JournalEntry.Origin?
    /// At rest as long as this sleeps.
    var work: SandboxClock.Work?
    /// The faults that strike it, where they have already been chosen.
    var chosen: Chosen?
    /// The faults that struck it when only its head was known.
    var early: EarlyStrike?
    /// The endings of the socket that are due once this message has been answered.
    var dueEndings: [Fault.Ending] = []
    /// The recipient of the answer; nil: the exchange.
    private let recipient: (@Sendable (Ending) -> Void)?

    init(_ request: consuming Request, _ exchange: Exchange) {
        head = request.head
        body = request.body
        self.exchange = exchange
        recipient = nil
    }

    /// A call from inside, brought about by `origin`.
    init(
        _ request: Request, origin: JournalEntry.Origin? = nil, work: SandboxClock.Work? = nil, chosen: Disturbance? = nil,
        deliver: @escaping @Sendable (Ending) -> Void
    ) {
        head = request.head
        body = request.body
        self.origin = origin
        self.work = work
        self.chosen = chosen.map { Chosen($0) }
        recipient = deliver
    }
}

extension Incoming {
    /// The faults that struck it in the sandbox when only its head was known: none if the sandbox has been reset since.
    func early(in sandbox: Sandbox) -> Disturbance {
        early.map { $0.sandbox === sandbox ? $0.disturbance : Disturbance() } ?? Disturbance()
    }

    /// For how much of the sandbox's time it was held before it was whole.
    func timeHeld(in sandbox: Sandbox) -> Duration {
        if early == nil { return .zero }
        let delays = early(in: sandbox).delays
        return (delays[.onRequestStart] ?? .zero) + (delays[.onRequestBody] ?? .zero)
    }

    func deliver(_ ending: Ending) { deliver(ending.delivery, ended: ending.ended) { $0 = ending } }

    /// - Parameter tell: says what only the inside may know; not called where nobody there is given the answer.
    func deliver(_ delivery: Delivery, ended: (@Sendable (Completion) -> Void)?, _ tell: (inout Ending) -> Void) {
        guard let recipient else { return _ = exchange?.deliver(delivery, ended: ended) }
        var ending = Ending(delivery: delivery, ended: ended)
        tell(&ending)
        recipient(ending)
    }
}

extension JournalEntry.Request {
    init(_ incoming: borrowing Incoming) {
        // A message has no head of its own; the upgrade's stands in the entry of the socket's opening.
        let isMessage = incoming.socket != nil
        self.init(
            method: isMessage ? "MESSAGE" : incoming.head.method.rawValue, target: incoming.head.target,
            headers: isMessage ? [:] : incoming.head.headers, body: incoming.body,
            connection: incoming.exchange == nil && !isMessage ? nil : incoming.head.connection)
        if !isMessage { (tls, alpn) = (incoming.head.tls?.version, incoming.head.tls?.alpn) }
    }
}
