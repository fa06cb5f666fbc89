import Dispatch
import GRDB
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks

/// The way of every request, in order: **locate → check → disturb → prepare → decide → record → self-check → deliver**.
final class Pipeline: Sendable {
    /// Bytes of a body that are read; more is refused with 413.
    static let bodyLimit = 1 << 20

    let routes: Routes
    let world: World
    let store: Store
    let admin: AdminAPI
    let outboundClient: OutboundClient
    let addresses: Mutex<Addresses>
    let unplaced: Unplaced
    let notice: @Sendable (String) -> Void
    let metrics = Metrics()
    /// What struck requests that are still being read, by their connection.
    let early = Mutex<[Int: EarlyStrike]>([:], .first)
    private let sound = SoundAnswers()
    private let lengthy = DispatchQueue(label: "sparring.lengthy")

    init(
        routes: Routes, world: World, store: Store, admin: AdminAPI, outboundClient: OutboundClient, addresses: Addresses,
        unplaced: Unplaced, notice: @escaping @Sendable (String) -> Void
    ) {
        self.routes = routes
        self.world = world
        self.store = store
        self.admin = admin
        self.outboundClient = outboundClient
        self.addresses = Mutex(addresses)
        self.unplaced = unplaced
        self.notice = notice
    }

    /// Bytes of the longest message that is parsed and checked on the thread that received it.
    private static let shortLimit = 64 << 10

    /// Works on a short message at once, and on a long one on a queue for long ones: parsing a megabyte of JSON takes some 50 ms, and nobody else's request
    /// should wait for that.
    ///
    /// - Parameter count: the message's length in bytes.
    func whenShort(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        if count <= Self.shortLimit { work() } else { lengthy.async(execute: work) }
    }

    func take(_ incoming: Incoming) {
        switch locate(incoming) {
        case .nowhere(let misplaced): refuse(incoming, misplaced)
        case .preflight(let methods): answerPreflight(incoming, allowing: methods)
        case .page: answerPage(incoming)
        case .admin(let operation, let request): Task { await administer(incoming, operation, request) }
        case .place(let place): take(incoming, at: place)
        }
    }

    func take(_ incoming: Incoming, at place: LocatedCall) {
        let disturbance = incoming.chosen ?? disturb(incoming, place)
        var step = InFlight(incoming: incoming, place: place, disturbance: disturbance)
        step.place.call.vendorEffects = disturbance.vendorEffects
        let handler = place.vendor.handler(of: place.call.operation)
        let isReplaced = disturbance.replacement != nil || disturbance.isCutBefore || place.malformedAnswer != nil
        if disturbance.delays[.onRequestEnd] == nil, isReplaced || handler.prepare == nil {
            decide(step, isReplaced ? nil : handler, prepared: ())
        } else {
            let waiting = step
            Task { await prepare(waiting, isReplaced ? nil : handler) }
        }
    }

    // MARK: prepare

    private func prepare(_ step: InFlight, _ handler: Handler?) async {
        var step = step
        if let delay = step.disturbance.delays[.onRequestEnd] {
            let wake = await wait(delay, step)
            if case .abandoned = wake { return abandon(step) }
            step.place.call.occasion.now = step.place.call.sandbox.clock.now
        }
        do {
            guard let prepare = handler?.prepare else { return decide(step, handler, prepared: ()) }
            let gaveUp = watchForHangUp(step)
            let prepared = try await prepare(step.place.call)
            if let waited = gaveUp.withLock({ $0 }) { noteHangUp(step, after: waited, what: "while its request was being worked on") }
            decide(step, handler, prepared: prepared)
        } catch {
            fail(step, error)
        }
    }

    // MARK: decide and record

    private func decide(_ step: InFlight, _ handler: Handler?, prepared: any Sendable) {
        store.submit { [self] db -> RenderedAnswer in
            var call = step.place.call
            call.entry = try call.sandbox.journal.next(db)
            let settled = disturbed(try settle(step, call, handler, prepared, db), step, call)
            try record(step, call, settled, db)
            return settled
        } finished: { [self] result in
            switch result {
            case .success(let settled): committed(step, settled)
            case .failure(let error): fail(step, error)
            }
        }
    }

    private func settle(_ step: InFlight, _ call: Call, _ handler: Handler?, _ prepared: any Sendable, _ db: Database) throws
        -> RenderedAnswer
    {
        if step.disturbance.isCutBefore { return RenderedAnswer(cause: step.disturbance.cause) }
        switch step.disturbance.replacement?.with {
        case .refusal(let name):
            var settled = render(refused(forced(name, step), step, call), call)
            settled.cause?.code = Cause.fault
            return settled
        case .status(let status): return renderBare(status, step, call)
        case nil: break
        }
        if let name = step.place.malformedAnswer {
            var settled = render(refused(Refusal(name, step.place.findings.map(\.words).joined(separator: "; ")), step, call), call)
            settled.cause?.code = Cause.malformed
            return settled
        }
        guard let handler else { throw ToolError("\(call.operation.qualifiedName) has nothing to do") }
        switch try handler.decide(db, call, prepared) {
        case .answer(let answer): return render(answer, call)
        case .refusal(let refusal): return render(refused(refusal, step, call), call)
        case .nothing(let cause): return .unanswered(call, cause)
        }
    }

    /// A refusal that a fault asked for.
    func forced(_ name: String, _ step: InFlight) -> Refusal { Refusal(name, step.disturbance.cause?.words ?? "", isForced: true) }

    private func refused(_ refusal: Refusal, _ step: InFlight, _ call: Call) -> Answer {
        var answer = step.place.vendor.vendor.render(refusal, for: call)
        answer.cause = answer.cause ?? refusal.cause
        return answer
    }

    private func record(_ step: InFlight, _ call: Call, _ settled: RenderedAnswer, _ db: Database) throws {
        let outbound = call.calls.all
        let details = JSON.members([
            "socket": call.socket.map { .integer(Int64($0.number)) }, "outbound": outbound.isEmpty ? nil : .array(outbound),
            "people": call.people.all.isEmpty ? nil : .array(call.people.all),
        ])
        var entry = JournalEntry(
            kind: call.operation.isMessage ? .message : .exchange, operation: call.operation.qualifiedName, lane: call.lane,
            ordinal: call.ordinal, cause: settled.cause,
            causedBy: step.incoming.origin, sandboxTime: call.now, arrival: world.moment(step.incoming.head.arrival),
            request: JournalEntry.Request(step.incoming), answer: settled.recorded(step.disturbance.words, step.disturbance.received),
            findings: step.place.findings + settled.findings,
            faults: step.disturbance.numbers, details: details.object?.isEmpty == true ? nil : details)
        let (delays, clock) = (step.disturbance.delays, call.sandbox.clock)
        let held = (delays[.onResponseStart] ?? .zero) + (delays[.onResponseBody] ?? .zero)
        let ended = clock.now + held
        entry.effects = step.disturbance.effects
        if step.began != entry.sandboxTime { entry.began = step.began }
        if ended != entry.sandboxTime { entry.ended = ended }
        entry.answered = Arrival.now.monotonic.addingClamped(held.milliseconds.multipliedClamped(by: 1_000_000))
        try call.sandbox.journal.append(entry, db)
        try world.record(
            call.outbox, causedBy: JournalEntry.Origin(operation: call.operation.qualifiedName, lane: call.lane, ordinal: call.ordinal), db)
        call.sandbox.faults.write(step.disturbance.touched, sandbox: call.sandbox.id, store)
    }

    // MARK: self-check and deliver

    private func committed(_ step: InFlight, _ settled: RenderedAnswer) {
        let call = step.place.call
        selfCheck(call, settled)
        call.sandbox.journal.committed()
        // What the caller itself is sent follows its answer.
        world.send(call.outbox.all.filter { $0.socket !== call.socket })
        if let delay = step.disturbance.delays[.onResponseStart] {
            Task {
                let wake = await wait(delay, step)
                if case .abandoned = wake {
                    noteHangUp(
                        step, after: Arrival.now.monotonic - step.incoming.head.arrival.monotonic, what: "while its answer was held back")
                }
                deliver(step, settled)
            }
        } else {
            deliver(step, settled)
        }
    }

    private func selfCheck(_ call: Call, _ settled: RenderedAnswer) {
        guard let name = settled.name, let response = settled.response, !settled.isAltered, !sound.knows(call.operation, name, response)
        else { return }
        let violations = call.operation.checkAnswer(name: name, status: response.status, headers: response.headers, body: settled.json)
        guard !violations.isEmpty else { return sound.learn(call.operation, name, response) }
        var entry = world.entry(
            .finding, call.sandbox, cause: Cause("Sparring's own answer \(name) breaks the contract", code: Cause.failed))
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.findings = violations.map(Finding.init)
        world.note(entry, call.sandbox)
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
        world.send(step.place.call.outbox.all.filter { $0.socket === step.place.call.socket })
        step.place.call.sandbox.clock.ended(step.work)
    }
}
