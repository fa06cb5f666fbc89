import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Clients that poll: a request's messages go the way of a socket's, one by one, with a journal entry and the faults of each, and the response takes
/// along what answers them. What is held, or sent unprompted, waits for the next of them.
extension Pipeline {
    /// Clients of all sandboxes that poll: they hold no connection whose number would be limited.
    private static let mostPolled = 4096

    /// **decide**, of a request that brings messages.
    func carried(_ name: String, _ messages: [JSON], on known: Socket?, _ flight: InFlight, _ call: Call) throws -> RenderedAnswer {
        guard let channel = flight.place.vendor.channel(polledBy: call.operation) else {
            throw ToolError("no channel is polled by \(call.operation.qualifiedName)")
        }
        let socket = known ?? polledSocket(of: channel, flight, call)
        let count = messages.count == 1 ? "a message" : "\(messages.count) messages"
        var settled = render(Answer(name, body: .bytes([]), cause: "brings \(count) to socket \(socket.number)"), call)
        settled.carried = Carried(socket: socket, messages: messages.map(\.bytes))
        return settled
    }

    private func polledSocket(of channel: ContractChannel, _ flight: InFlight, _ call: Call) -> Socket {
        let vendor = flight.place.vendor
        return Socket(
            number: call.sandbox.sockets.nextNumber(), channel: channel, sandbox: call.sandbox, tenant: call.tenant, request: call.request,
            base: call.base, lane: call.lane,
            isLaneGiven: call.request.headers[.sparringLane].map { !$0.isEmpty && $0.laneName == call.lane } ?? false,
            poller: call.operation
        ) { [self] in timerFired($0, $1, $2, vendor) }
    }

    /// The decision is committed: its messages are taken up, and the response goes out when the last of them has been answered and none is held.
    func carry(_ carried: Carried, _ flight: InFlight, _ settled: RenderedAnswer) {
        let (socket, exchange) = (carried.socket, flight.incoming.exchange)
        let connection = connection(of: socket, flight)
        let poll = connection.polls?.begin(messages: carried.messages.count) { [self] outcome in
            answer(outcome, of: socket, flight, settled)
        }
        guard let poll else { return answer(.empty, of: socket, flight, settled) }  // it ended in this moment: nothing was taken
        exchange?.finishBody()
        exchange?.onHangUp { connection.polls?.abandon(poll) }
        socket.traffic()
        for bytes in carried.messages {
            let message = SocketMessage(bytes, poll: poll)
            guard socket.enqueue(message) else { continue }
            dispatch(bytes: bytes.count) { [self] in takeMessage(message, on: connection) }
        }
        // What goes on is the messages' work.
        flight.endWork()
    }

    private func connection(of socket: Socket, _ flight: InFlight) -> SocketConnection {
        if let known = polled.withLock({ $0[ObjectIdentifier(socket)] }) { return known }
        var connection = SocketConnection(socket: socket, head: flight.incoming.head, vendor: flight.place.vendor)
        let plain = connection
        let wire = PolledWire { [self] code, reason in ended(plain, WebSocketEnd(by: .server, code: code, reason: reason)) }
        connection.polls = wire
        let known = connection
        let others = polled.withLock { polled -> [Socket] in
            polled[ObjectIdentifier(socket)] = known
            return polled.count > Self.mostPolled ? polled.values.map(\.socket) : []
        }
        others.filter { $0 !== socket }.min { $0.lastTraffic < $1.lastTraffic }?.close(
            1013, "", cause: "\(Self.mostPolled) clients poll already, and this one has been silent longest")
        socket.sandbox.sockets.add(socket)
        socket.attach(wire)
        return connection
    }

    private func answer(_ outcome: PolledWire.Outcome, of socket: Socket, _ flight: InFlight, _ settled: RenderedAnswer) {
        let delivery: Delivery
        switch outcome {
        case .frames(let frames):
            guard let declared = settled.declared, !flight.disturbance.isCutBefore else { return proceed(flight, settled) }
            var settled = settled
            let call = flight.place.call
            let response = Render.response(
                Answer(declared.name, body: .bytes(Self.joined(frames))), declared, call.operation, call.request)
            settled.response = flight.disturbance.altered(response)
            proceed(flight, settled)
            if socket.session == nil { socket.close(1000, "", cause: "it carries no session: there was no handshake, or it was refused") }
            return
        case .reset: delivery = .reset
        case .empty: delivery = .empty
        }
        flight.incoming.deliver(Incoming.Ending(delivery: delivery, cause: socket.farewell))
    }

    /// One array of the messages of all frames; what a fault has made of a frame stays as it is.
    private static func joined(_ frames: [[UInt8]]) -> [UInt8] {
        var messages: [UInt8] = [UInt8(ascii: "[")]
        for frame in frames {
            if messages.count > 1 { messages.append(UInt8(ascii: ",")) }
            let isArray = frame.first == UInt8(ascii: "[") && frame.last == UInt8(ascii: "]")
            messages += isArray ? frame.dropFirst().dropLast() : frame[...]
        }
        return messages + [UInt8(ascii: "]")]
    }
}
