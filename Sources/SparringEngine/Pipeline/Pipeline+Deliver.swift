import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// **deliver**: the answer goes out as the faults change it, then what the caller's own socket is sent.
extension Pipeline {
    /// A fault holds the answer back.
    func deliver(_ flight: InFlight, _ settled: RenderedAnswer, after delay: Duration) {
        wait(delay, flight) { [self] wake in
            if wake == .abandoned {
                noteHangUp(
                    flight, after: Arrival.now.monotonic - flight.incoming.head.arrival.monotonic, what: "while its answer was held back")
            }
            deliver(flight, settled)
        }
    }

    func deliver(_ flight: InFlight, _ settled: RenderedAnswer) {
        metrics.count(flight.place.call.operation.qualifiedName, settled.name ?? "none")
        let isDisturbed = !flight.disturbance.isNone
        var delivery =
            if let response = settled.response, !isDisturbed { Delivery.answer(response) } else {
                flight.disturbance.delivery(settled.response) { [self] in pause($0, flight, $1) }
            }
        if case .answer(let response) = delivery, response.status == 101, let socket = flight.place.call.socket {
            delivery = open(socket, flight, settled)
        }
        var ending = Incoming.Ending(
            delivery: delivery, answer: settled.declared, cause: settled.cause, disturbance: isDisturbed ? flight.disturbance : nil)
        ending.isHeld = settled.isHeld
        if flight.disturbance.mayBeGivenUp || delivery.hasLongHead {
            ending.ended = { [self] completion in transmitted(completion, flight) }
        }
        flight.incoming.deliver(ending)
        let call = flight.place.call
        if !call.outbox.isEmpty { call.sandbox.send(call.outbox.all.filter { $0.socket === call.socket }) }
        flight.endWork()
    }
}
