import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
package import SparringJSON
import SparringJournal
import SparringSandbox
package import SparringVerdict

/// A recorded client, played against a fresh sandbox on the recording's clock, and its answers held against the recorded ones.
package struct Replay {
    private let server: Server
    private let archive: Archive
    private let configured: ConfigurationFile?
    private var reader: RecordingReader
    private var correspondence = Correspondence()
    private var credentials: ReplayCredentials
    private var sockets: [ReplayedSocket] = []
    /// Calls that wait for their answers, by their places among the placed ones.
    private var waiting: [(place: Int, answer: ReplayedAnswer)] = []
    private var differences: [Int: [Finding]] = [:]
    /// What differed and says nothing.
    package private(set) var noise: [(kind: String, count: Int)] = []
    private var counts: [Noise: Int] = [:]
    /// Calls and messages that were sent.
    package private(set) var count = 0
    /// What the recorded sandbox was asked for and this one was not, in words.
    package private(set) var omitted: [String] = []

    private enum Event {
        case call(Int)
        case message(call: Int, message: Int)
        case leave(call: Int)
        case act(RecordedSandbox.Act)
    }

    /// - Parameters:
    ///   - reader: which has read the archive.
    ///   - server: without a sandbox, which nobody else uses.
    ///   - configured: settings of the sandbox that the recording does not show.
    package init(_ archive: Archive, _ reader: RecordingReader, on server: Server, configured: ConfigurationFile? = nil) {
        (self.archive, self.reader, self.server, self.configured) = (archive, reader, server, configured)
        credentials = ReplayCredentials(reader.placed.map(\.call))
    }

    private var placed: [RecordingReader.PlacedCall] { reader.placed }

    // MARK: The script

    private func script() -> [(moment: ReplayMoment, event: Event)] {
        var script: [(moment: ReplayMoment, event: Event)] = []
        for (place, call) in placed.enumerated() where call.call.own?.isCaused != true {
            script.append((ReplayMoment(call.call), .call(place)))
            for (index, message) in (call.call.messages ?? []).enumerated() where message.isSent {
                script.append((ReplayMoment(message, index, of: call.call), .message(call: place, message: index)))
            }
            if let end = call.call.own?.end, end.isByClient {
                script.append((ReplayMoment(time: end.time, order: [end.entry]), .leave(call: place)))
            }
        }
        for act in archive.sandbox?.acts ?? [] { script.append((ReplayMoment(time: act.time, order: [act.entry]), .act(act))) }
        return script.enumerated().sorted { one, other in
            one.element.moment == other.element.moment ? one.offset < other.offset : one.element.moment < other.element.moment
        }.map(\.element)
    }

    /// Plays all of it.
    ///
    /// - Throws: why the sandbox cannot be made.
    package mutating func run() async throws {
        let script = script()
        let begin = archive.sandbox?.begun ?? script.first?.moment.time ?? Timestamp(milliseconds: 0)
        server.engine.addresses = ReplaySandbox.addresses(of: placed, server.engine.contracts, reader.hosts)
        let sandbox = try await ReplaySandbox.make(for: archive, placed, configured, at: begin, in: server)
        ReplaySandbox.note(archive.sandbox?.secrets ?? [], of: sandbox, in: &correspondence)
        ProofKeys(placed.map(\.call)).note(in: &correspondence)
        for (index, step) in script.enumerated() {
            await advance(sandbox, to: step.moment)
            await perform(step.event, in: sandbox)
            let next = script.indices.contains(index + 1) ? script[index + 1].moment : nil
            await settle(sandbox, before: next)
            collect(sandbox, before: next)
        }
        if let last = lastMoment { await advance(sandbox, to: last) }
        finish()
    }

    /// When the last thing was recorded.
    private var lastMoment: ReplayMoment? {
        placed.flatMap { call in
            [ReplayMoment(time: end(of: call.call), order: [.max])]
                + (call.call.messages ?? []).enumerated().map { ReplayMoment($0.element, $0.offset, of: call.call) }
                + [call.call.own?.end].compactMap { end in end.map { ReplayMoment(time: $0.time, order: [.max]) } }
        }.max()
    }

    // MARK: Steps

    private mutating func advance(_ sandbox: Sandbox, to moment: ReplayMoment) async {
        let distance = moment.time - sandbox.clock.now
        guard distance > .zero else { return }
        // Pings are in no archive: a socket that was not closed as idle then is not now.
        for socket in sandbox.openSockets {
            let recorded = sockets.first { $0.number == socket.number }?.placed.call.own?.end
            if recorded.map(\.isByClient) ?? true { socket.traffic(at: moment.time) }
        }
        _ = await sandbox.clock.advance(by: distance)
        await settle(sandbox, before: moment)
        collect(sandbox, before: moment)
    }

    private mutating func perform(_ event: Event, in sandbox: Sandbox) async {
        switch event {
        case .call(let place):
            let call = placed[place].call
            let wanted = credentials.wanted(call.headers, call.target, call.body.bytes, correspondence)
            // What was refused is refused again.
            if let status = call.status, status >= 400 {
                for wanted in wanted { correspondence.note(wanted.recorded, wanted.unsound) }
            } else {
                await mint(wanted, in: sandbox)
            }
            let request = ReplayedCall(correspondence).request(call)
            let answer = ReplayedAnswer()
            waiting.append((place, answer))
            count += 1
            server.engine.answer(request) { answer.end($0) }
        case .message(let place, let index):
            guard let socket = socket(of: place), let message = placed[place].call.messages?[index] else { return }
            count += 1
            await mint(credentials.wanted([:], "", message.bytes, correspondence), in: sandbox)
            socket.wire.say(
                message.isBinary ? message.bytes : ReplayedCall(correspondence).message(message.bytes), isBinary: message.isBinary)
        case .leave(let place): socket(of: place)?.wire.leave(placed[place].call.own?.end?.code)
        case .act(let act): await perform(act, in: sandbox)
        }
    }

    private func socket(of place: Int) -> ReplayedSocket? { sockets.first { $0.placed.entry == placed[place].entry } }

    private mutating func perform(_ act: RecordedSandbox.Act, in sandbox: Sandbox) async {
        guard let operation = act.operation else { return omitted.append(act.cause) }
        do {
            let arguments = correspondence.translate(.object(act.arguments)).object ?? [:]
            let answer = try await server.admin.perform(operation, arguments, in: sandbox, server.engine.addresses)
            if operation == ReplayCredentials.operation, case .json(let body) = answer.body { credentials.keep(.object(arguments), body) }
        } catch {
            omitted.append("\(act.cause): \(AdminAPI.problem(error).detail)")
        }
    }

    /// Has credentials stand for those that the recorded client brought from elsewhere. One that cannot be minted stays as it was recorded.
    private mutating func mint(_ wanted: [ReplayCredentials.Wanted], in sandbox: Sandbox) async {
        for wanted in wanted {
            if let kept = credentials.take(for: wanted) {
                correspondence.note(wanted.recorded, kept)
                continue
            }
            // The same sandbox takes what it took when it was recorded.
            guard archive.sandbox == nil || wanted.recorded.contains("«") else { continue }
            if case .json(let body)? = try? await server.admin.perform(
                ReplayCredentials.operation, wanted.form.object ?? [:], in: sandbox, server.engine.addresses
            ).body, let credential = body["credential"]?.string {
                correspondence.note(wanted.recorded, credential)
            }
        }
    }

    // MARK: Waiting

    /// Milliseconds without anything new after which what is missing is given up.
    private static let patience = 400
    /// The same for a call that waits for the clock, and for one that was answered later than this.
    private static let shortPatience = 30

    /// Waits until all has come that was recorded before a moment.
    private mutating func settle(_ sandbox: Sandbox, before moment: ReplayMoment?) async {
        var (quiet, seen) = (0, activity(in: sandbox))
        while isOpen(before: moment) {
            try? await Task.sleep(for: .milliseconds(1))
            let now = activity(in: sandbox)
            (quiet, seen) = (now == seen ? quiet + 1 : 0, now)
            if quiet >= (isOverdue(before: moment) ? Self.patience : Self.shortPatience) { break }
        }
        // What came besides.
        for _ in 0..<2 { try? await server.engine.settle() }
        for index in sockets.indices { sockets[index].giveUp(before: moment) }
    }

    private func isOpen(before moment: ReplayMoment?) -> Bool {
        waiting.contains { $0.answer.outcome == nil } || sockets.contains { $0.isLate(before: moment) }
    }

    /// Something that was recorded before the moment has not come.
    private func isOverdue(before moment: ReplayMoment?) -> Bool {
        sockets.contains { $0.isLate(before: moment) }
            || waiting.contains { call in
                guard call.answer.outcome == nil else { return false }
                return moment.map { end(of: placed[call.place].call) < $0.time } ?? true
            }
    }

    private func end(of call: Archive.Call) -> Timestamp {
        call.own?.ended ?? call.started + .milliseconds(Int64(clamped: call.took))
    }

    private func activity(in sandbox: Sandbox) -> [Int] {
        [sandbox.journal.newestBeforeJob, sockets.reduce(0) { $0 + $1.wire.count }, sandbox.clock.pending.count]
    }

    // MARK: What came

    private mutating func collect(_ sandbox: Sandbox, before moment: ReplayMoment?) {
        let ready = waiting.filter { $0.answer.outcome != nil }
        waiting.removeAll { $0.answer.outcome != nil }
        for (place, answer) in ready { if let outcome = answer.outcome { take(outcome, of: placed[place], sandbox) } }
        for index in sockets.indices {
            let socket = sockets[index]
            var found: [(Int, [Difference])] = []
            var counts = counts
            let now = sandbox.clock.now
            sockets[index].match(before: moment, &correspondence) { recorded, replayed, correspondence in
                var comparison = Comparison(correspondence, at: now, tolerance: Self.tolerance(of: socket.placed.call))
                comparison.compare(recorded, replayed, at: Place("message"))
                return comparison
            } _: { message, comparison, differences in
                found.append((message, differences))
                counts.merge(comparison?.noise ?? [:]) { $0 + $1 }
            }
            self.counts = counts
            for (message, differences) in found {
                note(differences, at: socket.placed.messages[message] ?? socket.placed.entry)
            }
        }
    }

    /// The recorded clock ran on while a call was answered.
    private static func tolerance(of call: Archive.Call) -> Duration {
        let took = call.own.flatMap { own in own.time.flatMap { time in own.ended.map { $0 - time } } } ?? .milliseconds(Int64(clamped: call.took))
        return .seconds(2) + min(max(took, .zero), .seconds(60))
    }

    private mutating func take(_ outcome: ReplayedAnswer.Outcome, of placed: RecordingReader.PlacedCall, _ sandbox: Sandbox) {
        let call = placed.call
        var comparison = Comparison(correspondence, at: sandbox.clock.now, tolerance: Self.tolerance(of: call))
        switch (call.status, outcome) {
        case (_, .socket(let wire)):
            let known = Set(sockets.map(\.number))
            let number = sandbox.openSockets.map(\.number).first { !known.contains($0) } ?? 0
            sockets.append(ReplayedSocket(placed, wire, number: number, reader.channel(openedBy: placed.operation)))
            if call.status != 101 { comparison.differ(.answer, Place("answer status"), "is 101: recorded \(call.status.map(String.init) ?? "no answer")") }
        case (.none, .nothing): break
        case (.none, .answer(let status, _, _)): comparison.differ(.silence, Place("answer status"), "is \(status): recorded no answer")
        case (.some(let status), .nothing): comparison.differ(.silence, Place("answer status"), "is missing, for nothing came back: recorded \(status)")
        case (.some(let status), .answer(let other, let headers, let body)):
            if status != other {
                let words = String(decoding: body, as: UTF8.self).abbreviated(to: 200)
                comparison.differ(.answer, Place("answer status"), "is \(other): recorded \(status)" + (words.isEmpty ? "" : "; replayed \(words)"))
            } else {
                compare(call, headers, body, placed.operation, &comparison)
            }
        }
        correspondence = comparison.correspondence
        counts.merge(comparison.noise) { $0 + $1 }
        note(comparison.differences, at: placed.entry)
    }

    private func compare(
        _ call: Archive.Call, _ headers: HTTPFields, _ body: [UInt8], _ operation: ContractOperation, _ comparison: inout Comparison
    ) {
        comparison.compare(
            call.answerHeaders, headers, declared: operation.answers.filter { $0.status == call.status }.flatMap(\.headers).map(\.name))
        guard call.answerBody.isKnown else { return }
        let replayed = Archive.Body(bytes: body)
        switch (RecordingReader.value(of: call.answerBody, call.answerHeaders), RecordingReader.value(of: replayed, headers)) {
        case (.none, .none):
            if call.answerBody.bytes != body {
                comparison.differ(.value, Place("answer body"), "has \(body.count) bytes that are not the \(call.answerBody.bytes.count) recorded ones")
            }
        case (.some, .none): comparison.differ(.missing, Place("answer body"), "is missing")
        case (.none, .some): comparison.differ(.surplus, Place("answer body"), "was not recorded")
        case (.some(let recorded), .some(let replayed)): comparison.compare(recorded, replayed, at: Place("answer body"))
        }
    }

    private mutating func note(_ differences: [Difference], at entry: Int) {
        for difference in differences { self.differences[entry, default: []].append(difference.finding) }
    }

    // MARK: The end

    private mutating func finish() {
        for (place, _) in waiting {
            note([Difference(kind: .silence, place: "answer", member: "answer", words: "answer: none came")], at: placed[place].entry)
        }
        for socket in sockets {
            socket.rest { message, difference in
                note([difference], at: message.flatMap { socket.placed.messages[$0] } ?? socket.placed.entry)
            }
        }
        noise = Noise.allCases.compactMap { kind in counts[kind].map { (kind.rawValue, $0) } }
        reader.replaceFindings(by: differences)
    }

    /// The differences as a report.
    ///
    /// - Throws: ``ConfigurationError`` for a policy that is not known.
    package func judge(_ request: VerdictRequest, _ behaviours: Behaviours, name: String) throws(ConfigurationError) -> VerdictReport {
        var report = try reader.judge(request, behaviours, name: name)
        report.subject = .replay
        return report
    }
}
