import SparringLocks
import SparringSandbox

/// **prepare**: what takes time and writes nothing, a fault's delay among it.
extension Pipeline {
    func prepare(_ flight: InFlight) async {
        var flight = flight
        if let delay = flight.disturbance.delays[.onRequestEnd] {
            let wake = await wait(delay, flight)
            if case .abandoned = wake { return abandon(flight) }
            flight = InFlight(flight, now: flight.place.call.sandbox.clock.now)
        }
        do {
            guard let prepare = flight.prepare else { return transact(flight, prepared: ()) }
            if let recalled = flight.recalled { return transact(flight, prepared: recalled) }
            let gaveUp = watchForHangUp(flight)
            let prepared = try await prepare(flight.place.call)
            if let waited = gaveUp.withLock({ $0 }) { noteHangUp(flight, after: waited, what: "while its request was being worked on") }
            transact(flight, prepared: prepared)
        } catch {
            fail(flight, error)
        }
    }
}
