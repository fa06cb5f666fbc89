import HTTPTypes
import SparringClient
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Relayed calls, and the messages of relayed sockets.
extension Pipeline {
    /// The handler that passes a call on; nil: Sparring answers it.
    func relayHandler(
        _ operation: ContractOperation, _ incoming: borrowing Incoming, _ vendor: VendorEntry, _ base: ClientBase, _ socket: Socket?
    ) -> Handler? {
        guard let relay, operation.stub == nil, !operation.isMessage || socket.map(relay.carries) == true else { return nil }
        return relay.handler(for: operation, incoming.head, incoming.body, vendor.contract, base) { [self] in relayed($0, on: $1) }
    }

    func relayed(_ event: ClientSocket.Event, on socket: Socket) {
        switch event {
        case .text(let bytes): relay(relay?.message(bytes, on: socket) ?? bytes, to: socket)
        case .binary(let bytes): relay(bytes, to: socket)
        case .closed(let code, let reason):
            socket.close(UInt16(clamping: code ?? 1005), reason, cause: "closed by the vendor")
        case .ended(let reason): socket.abort(cause: Cause("ended by the vendor" + (reason.map { ": \($0)" } ?? "")))
        }
    }

    /// Says what a vendor has that the contract does not, once for each place.
    func noteDrift(_ operation: String, _ findings: [Finding]) {
        for finding in findings {
            let isNew = drift.withLock { $0.insert("\(operation) \(finding.code) \(finding.member ?? finding.place ?? "")").inserted }
            if isNew { notice("the vendor differs from the contract: \(operation): \(finding.words)") }
        }
    }

    /// Passes on a call that no operation fits, where such calls are passed on.
    func pass(_ incoming: Incoming, _ misplaced: Misplaced) -> Bool {
        guard let relay, !misplaced.isAdmin, incoming.head.headers[.upgrade] == nil, foreign(incoming.head) == nil,
            let target = relay.target(ofUnknown: incoming.head), let sandbox = world.sandbox("default") ?? world.sandboxes.first
        else { return false }
        Task { [self] in
            let contract = vendors[target.vendor]?.contract
            let relayed = await relay.pass(incoming.head, incoming.body, to: target, contract, addresses.base(of: incoming.head))
            let rendered = relayed.rendered(for: nil)
            var entry = sandbox.entry(.exchange, cause: rendered.cause)
            entry.arrival = sandbox.moment(incoming.head.arrival)
            entry.request = JournalEntry.Request(incoming)
            entry.answer = rendered.recorded(nil)
            entry.answered = Arrival.monotonicNow
            entry.findings = [Finding(misplaced.code, misplaced.reason)]
            entry.details = ["source": "vendor"]
            let (written, response) = (entry, rendered.response ?? Response(status: 502))
            store.submit { db in
                try sandbox.journal.append(written, db)
            } finished: { _ in
                sandbox.journal.committed()
                incoming.deliver(Incoming.Ending(delivery: .answer(response), cause: rendered.cause))
            }
        }
        return true
    }

    private func relay(_ bytes: [UInt8], to socket: Socket) {
        let read = try? socket.channel.read(bytes)
        let likest = read.flatMap { socket.channel.kind(of: $0.message, isText: $0.isText) }
        // What fits no notification may be the reply to a message of the client's.
        let isReply = likest?.violations.isEmpty == false && read.map { socket.channel.isReply($0.message) } ?? false
        let kind = isReply ? nil : likest
        var findings: [Finding] = []
        if let kind, let read { findings = (kind.violations + kind.message.undeclared(in: read.message)).map { Finding(ofAnswer: $0) } }
        let found = findings
        if let kind { noteDrift(kind.message.qualifiedName, found) }
        happen("message of the vendor's", socket) { occasion, _ in
            occasion.outbox.relay(bytes, as: kind?.message, found, to: socket)
        } then: {
        }
    }
}
