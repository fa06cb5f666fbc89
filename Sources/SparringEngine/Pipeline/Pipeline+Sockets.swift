import GRDB
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox
import SparringVariation

/// Sockets' way through the pipeline. The upgrade is an operation like any other; so is each message that comes in, found within its channel.
extension Pipeline {
    /// The upgrade is decided and committed: the socket may be sent to from here on.
    func open(_ socket: Socket, _ flight: InFlight, _ settled: RenderedAnswer) -> Delivery {
        socket.sandbox.sockets.add(socket)
        plan(flight.disturbance, on: socket)
        let connection = SocketConnection(socket: socket, head: flight.incoming.head, vendor: flight.place.vendor)
        let upgrade = WebSocketUpgrade(
            headers: settled.response?.headers ?? [:], limits: WebSocketLimits(),
            opened: { [self] wire in
                socket.attach(Wire(wire))
                return SocketHandler(pipeline: self, connection: connection)
            },
            failed: { [self] reason in ended(connection, "the upgrade failed: \(reason)", by: "failure") })
        return .upgrade(upgrade)
    }

    /// The handler of the socket that libmicrohttpd's connection becomes: it receives everything that comes in.
    private struct SocketHandler: WebSocketHandler {
        let pipeline: Pipeline
        let connection: SocketConnection
        var socket: Socket { connection.socket }

        func received(text: [UInt8], on wire: any WebSocketWire) {
            socket.traffic()
            for message in socket.channel.messages(in: text) { enqueue(SocketMessage(message)) }
        }

        func received(binary: [UInt8], on wire: any WebSocketWire) {
            socket.traffic()
            enqueue(SocketMessage(binary, isBinary: true))
        }

        private func enqueue(_ message: SocketMessage) {
            guard socket.enqueue(message) else { return }
            pipeline.dispatch(bytes: message.bytes.count) { pipeline.takeMessage(message, on: connection) }
        }

        func receivedControl(on wire: any WebSocketWire) { socket.traffic() }

        func closed(_ end: WebSocketEnd, on wire: any WebSocketWire) {
            pipeline.ended(connection, end)
        }
    }

    // MARK: Messages

    /// A message whose turn it is. The next one is taken when this one is over, whatever it is: a client that sends faster is held back.
    func takeMessage(_ sent: SocketMessage, on connection: SocketConnection) {
        var sent = sent
        if world.takesBack { sent.takeBack() }
        takeMessage(restored: sent, on: connection)
    }

    private func takeMessage(restored sent: SocketMessage, on connection: SocketConnection) {
        do throws(ChannelMismatch) {
            let (operation, message, checked) = try read(sent, on: connection)
            let socket = connection.socket
            var head = connection.head
            head.arrival = sent.arrival
            let endings = socket.endingsAfterMessage()
            var incoming = Incoming(Request(head: head, body: sent.bytes), work: sent.work) { [self] ending in
                answer(ending, to: sent, on: socket)
                settle(sent, on: connection, isHeld: ending.isHeld)
            }
            incoming.socket = socket
            incoming.dueEndings = endings
            take(incoming, at: place(incoming, message, operation, checked, on: socket, connection.vendor))
        } catch {
            misunderstood(error, sent, on: connection)
        }
    }

    /// The operation that a message is for, found within its channel.
    private func read(
        _ sent: SocketMessage, on connection: SocketConnection
    ) throws(ChannelMismatch) -> (ContractOperation, JSON, CheckedRequest) {
        let (operation, message, isText) = try connection.socket.channel.operation(for: sent.bytes, isBinary: sent.isBinary)
        let checked = operation.check(message: message, isText: isText)
        if isStrict, case .own? = refusal(of: operation, checked, connection.vendor) {
            let words = (checked.violations + checked.undeclared).map(\.description).joined(separator: "; ")
            throw ChannelMismatch("\(operation.qualifiedName): \(words)", message: message, name: operation.id)
        }
        return (operation, message, checked)
    }

    private func place(
        _ incoming: Incoming, _ message: JSON, _ operation: ContractOperation, _ checked: CheckedRequest, on socket: Socket,
        _ vendor: VendorEntry
    ) -> LocatedCall {
        var request = socket.request
        request.body = incoming.body
        let lane = lane(of: operation, request, message, on: socket)
        return located(
            incoming, operation, socket.channel.opener.canonical(request), checked, of: socket.tenant, in: socket.sandbox, lane: lane,
            base: addresses.base(socket.base), socket, vendor)
    }

    func answer(_ end: Incoming.Ending, to sent: SocketMessage, on socket: Socket) {
        let disturbance = end.disturbance ?? Disturbance()
        plan(disturbance, on: socket)
        if disturbance.lostBy != nil { return }
        let ending = disturbance.ending
        if let ending, ending.phase < .onResponseEnd { return finish(socket, ending) }
        let cause = end.cause ?? "a fault"
        switch end.delivery {
        case .answer(let response), .disturbed(let response, _), .formed(let response, _):
            if case .bytes(let bytes) = response.body, !bytes.isEmpty {
                socket.send(bytes, .message(poll: sent.poll), disturbance.messageChanges, as: end.frames)
            }
            // The reset that follows the whole of an answer.
            if let cut = disturbance.cut { socket.reset(cause: .fault(cut.by)) }
        case .reset: socket.reset(cause: cause)
        case .empty: socket.abort(cause: cause)
        case .upgrade, .raw, .stall: break
        }
        if let ending { finish(socket, ending) }
    }

    /// A message has been answered, refused or held: the next one, if there is any.
    func settle(_ sent: SocketMessage, on connection: SocketConnection, isHeld: Bool = false) {
        if let poll = sent.poll { connection.polls?.answered(poll, isHeld: isHeld) }
        let socket = connection.socket
        // The next one's work begins before this one's ends: between them, an advance would take everything to be at rest.
        defer { over(sent, on: socket) }
        guard var next = socket.next() else { return }
        let work = SandboxClock.Work()
        next.work = work
        socket.sandbox.clock.resume(work)
        let taken = next
        dispatch(bytes: taken.bytes.count) { [self] in takeMessage(taken, on: connection) }
    }

    /// No advance of the clock waits for the message any longer.
    func over(_ sent: SocketMessage, on socket: Socket) {
        if let work = sent.work { socket.sandbox.clock.ended(work) }
    }

    // MARK: Timers and the end

    func timerFired(_ socket: Socket, _ name: String, _ work: SandboxClock.Work, _ vendor: VendorEntry) {
        // What is being closed, or is dead to its client, ends once.
        guard socket.farewell == nil else { return socket.sandbox.clock.ended(work) }
        happen("timer \(name)", socket) { occasion, db in
            // Where a clock was set far ahead, a timer before this one may have ended the socket in the same transaction.
            guard !socket.isLeaving else { return }
            try vendor.vendor.timer(name, of: socket, occasion, db)
            if occasion.outbox.ends(socket) { socket.leave() }
        } then: {
            socket.afterCut { socket.sandbox.clock.ended(work) }
        }
    }

    private func plan(_ disturbance: Disturbance, on socket: Socket) {
        for ending in disturbance.plans {
            if ending.after == nil, ending.afterFrames == 0 {
                finish(socket, ending)
                continue
            }
            socket.plan(ending) { [self] work in
                happen("planned end", socket) { occasion, _ in
                    occasion.outbox.end(socket, ending.how, cause: .fault(ending.by))
                } then: {
                    socket.afterCut { socket.sandbox.clock.ended(work) }
                }
            }
        }
    }

    /// Ends it now, as a fault specifies. If the socket goes dead, only the entry written here says so.
    private func finish(_ socket: Socket, _ ending: Fault.Ending) {
        let cause = Cause.fault(ending.by)
        socket.end(ending.how, cause: cause)
        guard ending.how == .freeze else { return }
        var entry = socket.sandbox.entry(.socket, cause: Cause("frozen: \(cause.words)", code: cause.code))
        (entry.operation, entry.lane, entry.faults) = (socket.opener.qualifiedName, socket.lane, cause.faults)
        entry.details = ["socket": .integer(Int64(socket.number)), "frozen": true]
        socket.sandbox.note(entry)
    }

    func ended(_ connection: SocketConnection, _ end: WebSocketEnd) {
        let how =
            end.code.map { "with \($0)" + (end.reason.isEmpty ? "" : " '\(end.reason)'") }
            ?? "without a close frame" + (end.reason.isEmpty ? "" : " (\(end.reason))")
        let farewell = connection.socket.farewell
        let who: Cause =
            switch end.by {
            case .client: "closed by the client \(how)"
            case .server:
                Cause("closed by Sparring \(how)" + (farewell.map { ": \($0.words)" } ?? ""), code: farewell?.code, fault: farewell?.fault)
            case .failure: "the connection failed, closed \(how)"
            }
        ended(connection, who, code: end.code.map(Int.init), by: "\(end.by)")
    }

    /// - Parameters:
    ///   - code: of the close frame (RFC 6455 §7.4); nil: there was none.
    ///   - by: who ended it: `client`, `server` or `failure`.
    private func ended(_ connection: SocketConnection, _ cause: Cause, code: Int? = nil, by: String) {
        let socket = connection.socket
        guard socket.end() else { return }
        let isRelayed = relay?.carries(socket) == true
        relay?.leave(socket, code)
        socket.sandbox.sockets.remove(socket)
        if socket.isPolled { polled.withLock { $0[ObjectIdentifier(socket)] = nil } }
        var entry = socket.sandbox.entry(.socket, cause: cause)
        (entry.operation, entry.lane, entry.faults) = (socket.opener.qualifiedName, socket.lane, cause.faults)
        entry.details = .members([
            "socket": .integer(Int64(socket.number)), "code": code.map { .integer(Int64($0)) }, "by": .string(by),
            "misunderstood": socket.misunderstood > Socket.mostMisunderstood ? .integer(Int64(socket.misunderstood)) : nil,
        ])
        let told = entry
        happen("end", socket) { occasion, db in
            try socket.sandbox.journal.append(told, db)
            if !isRelayed { try connection.vendor.vendor.closed(socket, occasion, db) }
        } then: {
            socket.isOver()
        }
    }

    /// Something that no call brings about: decided in a savepoint of its own; what it sends goes out after the commit.
    func happen(
        _ what: String, _ socket: Socket, _ decide: @escaping @Sendable (Occasion, Database) throws -> Void,
        then: @escaping @Sendable () -> Void
    ) {
        let occasion = Occasion(what, of: socket)
        store.submit { db in
            try decide(occasion, db)
            try occasion.sandbox.record(occasion.outbox, causedBy: nil, db)
        } finished: { [metrics] result in
            switch result {
            case .success:
                socket.sandbox.journal.committed()
                occasion.sandbox.send(occasion.outbox.all)
            case .failure(let error):
                metrics.failed()
                var entry = socket.sandbox.entry(.finding, cause: .failed(error))
                entry.operation = socket.opener.qualifiedName
                socket.sandbox.note(entry)
            }
            then()
        }
    }
}

/// An open socket with what only the engine knows of it.
struct SocketConnection: Sendable {
    let socket: Socket
    /// The head of the request that opened it.
    let head: RequestHead
    let vendor: VendorEntry
    /// The wire of a client that polls; nil for a WebSocket.
    var polls: PolledWire?
}

/// A connection as the sandbox uses it.
private struct Wire: SocketWire {
    private let wire: any WebSocketWire

    init(_ wire: any WebSocketWire) { self.wire = wire }

    var hasWaiting: Bool { false }
    func send(text: [UInt8], _ reply: SocketReply, as frames: FrameVariation?) {
        switch frames {
        case .fragments: wire.send(text: text, fragments: (text.count + 1) / 2, pings: false)
        case .manyFragments: wire.send(text: text, fragments: 7, pings: true)
        case .ping: wire.send(text: text, fragments: nil, pings: true)
        case nil: wire.send(text: text)
        }
    }
    func close(_ code: UInt16, _ reason: String) { wire.close(code, reason) }
    func abort() { wire.abort() }
    func reset() { wire.reset() }
    func freeze() { wire.freeze() }
    func setReading(_ isOn: Bool) { wire.setReading(isOn) }
}
