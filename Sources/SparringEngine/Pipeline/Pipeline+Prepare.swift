import SparringLocks
import SparringSandbox

/// **prepare**: what takes time and writes nothing, a fault's delay among it.
extension Pipeline {
    func prepare(_ step: InFlight) async {
        var step = step
        if let delay = step.disturbance.delays[.onRequestEnd] {
            let wake = await wait(delay, step)
            if case .abandoned = wake { return abandon(step) }
            step.place.call.occasion.now = step.place.call.sandbox.clock.now
        }
        do {
            guard let prepare = step.handler?.prepare else { return decide(step, prepared: ()) }
            let gaveUp = watchForHangUp(step)
            let prepared = try await prepare(step.place.call)
            if let waited = gaveUp.withLock({ $0 }) { noteHangUp(step, after: waited, what: "while its request was being worked on") }
            decide(step, prepared: prepared)
        } catch {
            fail(step, error)
        }
    }
}
