import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// **deliver**: the answer goes out as the faults change it, then what the caller's own socket is sent.
extension Pipeline {
    /// A fault holds the answer back.
    func deliver(_ step: InFlight, _ settled: RenderedAnswer, after delay: Duration) async {
        let wake = await wait(delay, step)
        if case .abandoned = wake {
            noteHangUp(step, after: Arrival.now.monotonic - step.incoming.head.arrival.monotonic, what: "while its answer was held back")
        }
        deliver(step, settled)
    }

    func deliver(_ step: InFlight, _ settled: RenderedAnswer) {
        metrics.count(step.place.call.operation.qualifiedName, settled.name ?? "none")
        var delivery = step.disturbance.delivery(settled.response) { [self] in pause($0, step, $1) }
        if case .answer(let response) = delivery, response.status == 101, let socket = step.place.call.socket {
            delivery = open(socket, step, settled)
        }
        var ending = Incoming.Ending(
            delivery: delivery, answer: settled.declared, cause: settled.cause, disturbance: step.disturbance)
        if step.disturbance.mayBeGivenUp || delivery.hasLongHead { ending.ended = { [self] completion in transmitted(completion, step) } }
        step.incoming.deliver(ending)
        step.place.call.sandbox.send(step.place.call.outbox.all.filter { $0.socket === step.place.call.socket })
        step.place.call.sandbox.clock.ended(step.work)
    }
}
