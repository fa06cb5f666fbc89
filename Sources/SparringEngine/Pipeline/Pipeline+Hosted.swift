import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJournal
import SparringLocks

/// The way of an operation that belongs to no tenant: decided by its host, delivered; what it changes is journalled by the host.
extension Pipeline {
    func beginHosted(_ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts) {
        Task { await takeHosted(incoming, operation, request) }
    }

    private func takeHosted(_ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts) async {
        let decided = await host.decide(
            HostedCall(
                head: incoming.head, operation: operation, request: request,
                addresses: addresses.current.reached(by: incoming.head),
                onHangUp: { incoming.exchange?.onHangUp($0) }, resend: { [self] in await resend($0, origin: $1) }))
        metrics.count(decided.operation.qualifiedName, decided.answer.name)
        guard let declared = decided.operation.answer(decided.answer.name) else {
            let response = Response.problem(500, "\(decided.operation.qualifiedName) does not declare the answer '\(decided.answer.name)'")
            return incoming.deliver(Incoming.Ending(delivery: .answer(response)))
        }
        let response = Render.response(decided.answer, declared, decided.operation, decided.request)
        incoming.deliver(Incoming.Ending(delivery: .answer(response), answer: declared))
    }

    private func resend(_ request: Request, origin: JournalEntry.Origin) async -> Delivery {
        await withCheckedContinuation { continuation in
            take(Incoming(request, origin: origin) { continuation.resume(returning: $0.delivery) })
        }
    }

    /// A vendor may open a socket at `/` (RFC 9110 §7.8); a request without `Upgrade` gets Sparring's own page.
    func isForOwnPage(_ head: RequestHead) -> Bool {
        [.get, .head].contains(head.method) && RequestParts.path(of: head.target) == "/" && head.headers[.upgrade] == nil
    }

    func answerPage(_ incoming: Incoming) {
        let response = host.page(incoming.head, addresses.current.reached(by: incoming.head))
        metrics.count("page", String(response.status))
        incoming.deliver(Incoming.Ending(delivery: .answer(response)))
    }
}
