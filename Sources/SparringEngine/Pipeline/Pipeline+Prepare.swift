import SparringLocks
import SparringSandbox

/// **prepare**: what takes time and writes nothing, a fault's delay among it.
extension Pipeline {
    /// After the delay, if there is one.
    func prepare(_ flight: InFlight) {
        guard let delay = flight.disturbance.delays[.onRequestEnd] else { return prepareNow(flight) }
        wait(delay, flight) { [self] wake in
            if wake == .abandoned { return abandon(flight) }
            prepareNow(InFlight(flight, now: flight.place.call.sandbox.clock.now))
        }
    }

    private func prepareNow(_ flight: InFlight) {
        guard let prepare = flight.prepare else { return transact(flight, prepared: ()) }
        if let recalled = flight.recalled { return transact(flight, prepared: recalled) }
        Task {
            do {
                let gaveUp = watchForHangUp(flight)
                let prepared = try await prepare(flight.place.call)
                if let waited = gaveUp.withLock({ $0 }) {
                    noteHangUp(flight, after: waited, what: "while its request was being worked on")
                }
                transact(flight, prepared: prepared)
            } catch {
                fail(flight, error)
            }
        }
    }
}
