import Dispatch
import SparringContract
import SparringHTTP
import SparringLocks
import SparringSandbox

/// The way of every request, and of every message of a socket: **locate → check → disturb → prepare → decide → record → self-check → deliver**.
/// Each step is in the file of its name.
final class Pipeline: Sendable {
    /// Bytes of a body that are read; more is refused with 413.
    static let bodyLimit = 1 << 20

    let routes: Routes
    let world: World
    let store: Store
    let vendors: Vendors
    let host: any OperationHost
    let outboundClient: OutboundClient
    /// Nil: no call is passed on.
    let relay: Relay?
    let addresses: AddressBook
    let unplaced: Unplaced
    let notice: @Sendable (String) -> Void
    /// Whether all that the contract does not allow is refused.
    let isStrict: Bool
    let limits: ServerLimits
    let metrics: Metrics
    /// The faults that struck requests which are still being read, by their connection.
    let early = Mutex<[Int: EarlyStrike]>([:], .first)
    /// The sockets whose clients poll.
    let polled = Mutex<[ObjectIdentifier: SocketConnection]>([:])
    let sound = SoundAnswers()
    /// Differences of vendors from their contracts that have been printed.
    let drift = Mutex<Set<String>>([])
    let lengthy = DispatchQueue(label: "sparring.lengthy")

    init(
        _ parts: EngineParts, host: any OperationHost, outboundClient: OutboundClient, addresses: Addresses
    ) {
        (routes, notice, isStrict) = (parts.routes, parts.options.notice, parts.options.isStrict)
        (world, store, vendors) = (parts.world, parts.store, parts.vendors)
        (unplaced, metrics) = (parts.unplaced, parts.metrics)
        limits = parts.options.limits
        relay = parts.options.relay.map { Relay($0) }
        self.host = host
        self.outboundClient = outboundClient
        self.addresses = AddressBook(addresses)
    }
}

extension Pipeline {
    func take(_ incoming: consuming Incoming) {
        if world.takesBack { incoming.takeBack() }
        switch locate(incoming) {
        case .nowhere(let misplaced): if !pass(incoming, misplaced) { refuse(incoming, misplaced) }
        case .preflight(let methods): answerPreflight(incoming, allowing: methods)
        case .page: answerPage(incoming)
        case .hosted(let operation, let request): beginHosted(incoming, operation, request)
        case .place(let located): take(incoming, at: located)
        }
    }

    /// A call whose operation, tenant and lane are known.
    func take(_ incoming: consuming Incoming, at located: consuming LocatedCall) {
        check(&located, incoming)
        let disturbance = incoming.chosen?.disturbance ?? disturb(incoming, located)
        let flight = InFlight(incoming: incoming, place: located, disturbance: disturbance)
        prepare(flight)
    }

    /// Makes the decision and writes its journal entry, in one transaction.
    func transact(_ flight: InFlight, prepared: any Sendable) { store.submit(Settlement(self, flight, prepared)) }

    /// Nothing of the call can be lost any more.
    func committed(_ flight: InFlight, _ settled: RenderedAnswer) {
        let call = flight.place.call
        if settled.isRelayed { noteDrift(call.operation.qualifiedName, settled.findings) }
        selfCheck(call, settled)
        call.sandbox.journal.committed()
        // What the caller itself is sent follows its answer.
        if !call.outbox.isEmpty { call.sandbox.send(call.outbox.all.filter { $0.socket !== call.socket }) }
        if let carried = settled.carried { return carry(carried, flight, settled) }
        proceed(flight, settled)
    }

    func proceed(_ flight: InFlight, _ settled: RenderedAnswer) {
        if let delay = flight.disturbance.delays[.onResponseStart] { return deliver(flight, settled, after: delay) }
        deliver(flight, settled)
    }
}
