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
                    flight, after: Arrival.monotonicNow - flight.incoming.head.arrival.monotonic, what: "while its answer was held back")
            }
            deliver(flight, settled)
        }
    }

    func deliver(_ flight: InFlight, _ settled: RenderedAnswer) {
        metrics.count(flight.place.call.operation.qualifiedName, settled.name ?? "none")
        if settled.cause?.code == Cause.failed { metrics.failed() }
        let isDisturbed = !flight.disturbance.isNone
        var delivery =
            if let response = settled.sent, !isDisturbed {
                if let form = settled.varied?.form { Delivery.formed(response, form) } else { Delivery.answer(response) }
            } else {
                flight.disturbance.delivery(settled.sent) { [self] in pause($0, flight, $1) }
            }
        if case .answer(let response) = delivery, response.status == 101, let socket = flight.place.call.socket {
            delivery = open(socket, flight, settled)
        }
        var ended: (@Sendable (Completion) -> Void)?
        if flight.disturbance.mayBeGivenUp || delivery.hasLongHead {
            ended = { [self] completion in transmitted(completion, flight) }
        }
        let call = flight.place.call
        func sendOwn() {
            if !call.outbox.isEmpty { call.sandbox.send(call.outbox.all.filter { $0.socket === call.socket }) }
        }
        let comesLast = settled.varied?.comesLast == true
        if comesLast { sendOwn() }
        flight.incoming.deliver(delivery, ended: ended) { ending in
            (ending.answer, ending.cause, ending.isHeld) = (settled.declared, settled.cause, settled.isHeld)
            ending.frames = settled.varied?.frames
            if isDisturbed { ending.disturbance = flight.disturbance }
        }
        if !comesLast { sendOwn() }
        flight.endWork()
    }
}
