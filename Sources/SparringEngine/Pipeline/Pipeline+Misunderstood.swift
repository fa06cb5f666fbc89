import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// Messages that do not fit their channel: no operation decides them, but faults strike them like any other message of the socket.
extension Pipeline {
    func misunderstood(_ mismatch: ChannelMismatch, _ sent: SocketMessage, on connection: SocketConnection) {
        let socket = connection.socket
        let chosen = socket.sandbox.faults.choose(
            FaultOccasion(of: sent, mismatch.message, on: socket), at: [FaultPoint(socketsOf: socket.opener)])
        let stray = StrayMessage(
            mismatch: mismatch, sent: sent, connection: connection, position: socket.countMisunderstood(), disturbance: Disturbance(chosen),
            work: SandboxClock.Work(parent: sent.work))
        after(stray.disturbance.delays[.onRequestEnd], stray) { [self] in react(to: stray) }
    }

    /// Reacts as the contract says (`x-misunderstood`).
    private func react(to stray: StrayMessage) {
        let (socket, disturbance) = (stray.socket, stray.disturbance)
        var entry = stray.entry
        var response = Response(status: 200)
        var code: UInt16?
        let isRelayed = !disturbance.isCutBefore && relay?.say(stray.sent.bytes, on: socket, isBinary: stray.sent.isBinary) != nil
        let isIgnored = disturbance.isCutBefore || isRelayed
        switch isIgnored ? ChannelMisunderstanding.ignore : socket.channel.misunderstanding.reaction(to: stray.sent.bytes) {
        case .answer(let declared, _, _, _):
            let drawn = stray.connection.vendor.vendor.misunderstood(stray.sent.bytes, on: socket, declared.example ?? .null)
            let frame = declared.mediaType == "text/plain" ? Array((drawn.string ?? drawn.text).utf8) : drawn.bytes
            entry.answer = JournalEntry.Answer(
                name: declared.name, status: declared.status, outcome: declared.outcome.rawValue, headers: [:], body: frame,
                delivery: disturbance.words, received: disturbance.received)
            response.body = .bytes(frame)
        case .close(let declared): code = declared
        case .ignore: break
        }
        if entry.answer == nil, let words = disturbance.words {
            entry.answer = JournalEntry.Answer(
                name: nil, status: nil, headers: [:], body: [], delivery: words, received: disturbance.received)
        }
        // What a client sees has been committed.
        let (told, reaction, isWritten) = (entry, response, stray.hasEntry)
        let closing = disturbance.endsSocket ? nil : code
        happen("message", socket) { _, db in
            try socket.sandbox.count(disturbance.touched, db)
            if isWritten { try socket.sandbox.journal.append(told, db) }
        } then: { [self] in
            after(disturbance.delays[.onResponseStart], stray) { [self] in
                deliver(reaction, closing: closing, to: stray)
                socket.sandbox.clock.ended(stray.work)
            }
        }
    }

    /// - Parameter code: the code with which the vendor closes the socket; nil: the vendor leaves it open, or a fault has ended it.
    private func deliver(_ response: Response, closing code: UInt16?, to stray: StrayMessage) {
        let (socket, disturbance) = (stray.socket, stray.disturbance)
        let cause = disturbance.cut.map { Cause.fault($0.by) } ?? stray.cause
        let delivery = disturbance.delivery(response) { _, resume in resume() }
        answer(Incoming.Ending(delivery: delivery, cause: cause, disturbance: disturbance), to: stray.sent, on: socket)
        guard let code else { return settle(stray.sent, on: stray.connection) }
        socket.close(code, "", cause: stray.cause)
        over(stray.sent, on: socket)
    }

    /// Goes on at once, or when a fault's delay is over.
    private func after(_ delay: Duration?, _ stray: StrayMessage, _ then: @escaping @Sendable () -> Void) {
        guard let delay else { return then() }
        let (socket, numbers) = (stray.socket, stray.disturbance.numbers.map(String.init).joined(separator: ", "))
        let what = "a message of \(socket.lane) on socket \(socket.number), delayed by fault \(numbers)"
        socket.sandbox.clock.wait(for: delay, what: what, work: stray.work, onSleep: { _ in }, then: { _ in then() })
    }
}

/// A message that does not fit its channel, with the faults that strike it.
private struct StrayMessage: Sendable {
    let mismatch: ChannelMismatch
    let sent: SocketMessage
    let connection: SocketConnection
    /// Its number among such messages of the socket, from 1.
    let position: Int
    let disturbance: Disturbance
    let work: SandboxClock.Work

    var socket: Socket { connection.socket }
    var cause: Cause { Cause(mismatch.reason + tally, code: Cause.misunderstood) }
    /// Messages after ``Socket/mostMisunderstood`` are only counted, unless a fault strikes them.
    var hasEntry: Bool { position <= Socket.mostMisunderstood || !disturbance.strikes.isEmpty }

    /// More words about the last that has an entry of its own.
    private var tally: String {
        position == Socket.mostMisunderstood ? " (number \(position) of this socket; further ones are only counted)" : ""
    }

    var entry: JournalEntry {
        var entry = socket.sandbox.entry(.finding, cause: disturbance.cause ?? cause)
        entry.operation = socket.opener.qualifiedName
        entry.lane = socket.lane
        let remark = connection.vendor.vendor.remark(on: sent.bytes, to: socket).map { "; " + $0 } ?? ""
        var finding = Finding(mismatch, openedBy: socket.opener)
        finding.words += tally + remark
        entry.findings = [finding]
        (entry.faults, entry.effects) = (disturbance.numbers, disturbance.effects)
        let kept = sent.bytes.prefix(2048)
        entry.details = .members([
            "socket": .integer(Int64(socket.number)), "message": .string(String(decoding: kept, as: UTF8.self)),
            "messageSize": kept.count < sent.bytes.count ? .integer(Int64(sent.bytes.count)) : nil, "binary": sent.isBinary ? true : nil,
        ])
        return entry
    }
}

extension FaultOccasion {
    /// - Parameter message: its JSON; nil if it is not JSON.
    fileprivate init(of sent: SocketMessage, _ message: JSON?, on socket: Socket) {
        let place = socket.opener.qualifiedName
        self.init(
            point: place, lane: socket.lane, account: socket.tenant.id, headers: socket.request.headers, bodies: message.map { [$0] } ?? [],
            now: socket.sandbox.clock.now, socket: place, frame: sent.bytes)
    }
}

extension Disturbance {
    /// Whether a fault ends the socket with this message, or keeps the message from the vendor. The vendor then closes nothing itself.
    fileprivate var endsSocket: Bool { isCutBefore || ending != nil || cut != nil }
}
