import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Faults that strike while a request is still being read, when only its head is known: by that alone they find the sandbox and the lane.
extension Pipeline {
    /// - Returns: where the request is to be held; nil where nothing strikes it yet.
    func disturbEarly(_ head: RequestHead) -> HoldPoint? {
        guard world.earlyFaults.doExist, let (operation, request) = operation(for: head), !operation.isAdmin,
            let (sandbox, tenant) = owner(of: operation, request, head)
        else { return nil }
        let chosen = sandbox.faults.choose(
            FaultOccasion(
                point: operation.qualifiedName, lane: lane(of: operation, nil, request, nil, sandbox), account: tenant.id,
                headers: head.headers, bodies: [], now: sandbox.clock.now), isEarly: true, at: [FaultPoint(operation)])
        let disturbance = Disturbance(chosen)
        guard !disturbance.touched.isEmpty else { return nil }
        early.withLock { $0[head.connection] = EarlyStrike(disturbance: disturbance, sandbox: sandbox) }
        return disturbance.strikes.map(\.fault.phase).min().map { $0 == .onRequestStart ? .start : .body }
    }

    /// The tenant that the head of a request leads to.
    func owner(of operation: ContractOperation, _ request: RequestParts, _ head: RequestHead) -> (Sandbox, Tenant)? {
        guard let stub = chosen(among: stubs(for: head), head) else { return owner(of: operation, request, nil) }
        return world.sandbox(stub.tenant.sandbox).map { ($0, stub.tenant) }
    }

    /// Takes the faults that struck a request when it had only begun.
    func takeEarly(_ exchange: Exchange) -> EarlyStrike? {
        guard world.earlyFaults.doExist else { return nil }
        return early.withLock { $0.removeValue(forKey: exchange.head.connection) }
    }

    /// Delays the request that is held, cuts it off, or both.
    func held(_ exchange: Exchange) {
        guard let strike = early.withLock({ $0[exchange.head.connection] }) else { return _ = exchange.proceed() }
        let delays = strike.disturbance.delays
        let delay = (delays[.onRequestStart] ?? .zero) + (delays[.onRequestBody] ?? .zero)
        if delay <= .zero { return release(exchange, strike, isAbandoned: false) }
        let (clock, work) = (strike.sandbox.clock, SandboxClock.Work())
        let numbers = strike.disturbance.numbers.map(String.init).joined(separator: ", ")
        let what = "\(exchange.head.method) \(exchange.head.target), held by fault \(numbers)"
        clock.wait(for: delay, what: what, work: work, onSleep: { exchange.onHangUp($0) }) { [self] wake in
            clock.ended(work)
            release(exchange, strike, isAbandoned: wake == .abandoned)
        }
    }

    /// - Parameter isAbandoned: the client left meanwhile.
    private func release(_ exchange: Exchange, _ strike: EarlyStrike, isAbandoned: Bool) {
        let disturbance = strike.disturbance
        if !isAbandoned, !disturbance.isCutBefore { return _ = exchange.proceed() }
        var incoming = Incoming(exchange.request, exchange)
        _ = takeEarly(exchange)
        incoming.chosen = Incoming.Chosen(disturbance)
        guard case .place(var place) = locate(incoming) else { return _ = exchange.deliver(.empty) }
        guard place.call.sandbox === strike.sandbox else {
            // Reset since: the new sandbox has had no such call, and no such fault.
            place.call.sandbox.takeBack(place.call.ordinal, of: place.call.lane)
            return _ = exchange.deliver(disturbance.delivery(nil) { _, resume in resume() })
        }
        place.isCutShort = true
        if isAbandoned {
            abandon(InFlight(incoming: incoming, place: place, disturbance: disturbance))
        } else {
            take(incoming, at: place)
        }
    }
}

/// The faults that struck a request of which only the head is known.
final class EarlyStrike: Sendable {
    let disturbance: Disturbance
    let sandbox: Sandbox

    init(disturbance: Disturbance, sandbox: Sandbox) { (self.disturbance, self.sandbox) = (disturbance, sandbox) }
}
