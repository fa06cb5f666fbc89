import HTTPTypes
import SparringClient
import SparringEngine
import SparringJSON
import SparringJournal

/// A script that is played at the vendor, once.
struct ProbeSession {
    private struct Socket {
        let name: String
        let socket: ClientSocket
        let record: ProbeSocket
        /// Its call's place in the outcome.
        let call: Int
    }

    /// The vendor answered 429 (RFC 6585 §4): nothing more is sent to it.
    struct Throttled: Error {
        let operation: String
    }

    private let part: ProbePlan.Part
    private let line: ProbeLine
    private let hand: (any ProbeHand)?
    private let supply: @Sendable (String) async throws -> String
    private let clock = ProbeClock()
    private var names: ProbeNames
    private var sockets: [Socket] = []
    /// Hosts that no connection was made to, with the reasons.
    private(set) var unreachable: [String: String]
    private(set) var outcome: ProbeOutcome

    /// - Parameters:
    ///   - unreachable: hosts that no connection was made to, with the reasons.
    ///   - supply: a credential of that kind, from elsewhere.
    init(
        _ part: ProbePlan.Part, _ targets: VendorTargets, _ line: ProbeLine, _ hand: (any ProbeHand)?, unreachable: [String: String],
        _ supply: @escaping @Sendable (String) async throws -> String
    ) {
        (self.part, self.line, self.hand, self.unreachable, self.supply) = (part, line, hand, unreachable, supply)
        names = ProbeNames(host: targets.all.first { $0.part == nil }?.authority ?? targets.all.first?.authority ?? "")
        outcome = ProbeOutcome(begun: clock.stamp().time)
    }

    /// - Throws: ``Throttled``, what the hand or the supply throws.
    mutating func run() async throws {
        defer { finish() }
        for (step, standing) in zip(part.script.steps, part.standings) {
            let counts = counts
            outcome.beginnings.append(clock.stamp().number)
            switch standing {
            case .sent(let target, let operation): try await send(step, target, operation)
            case .asked: try await act(step)
            case .supplied(let wanted): try await take(step, wanted)
            case .skipped, .left: break
            }
            await settle(step, since: counts)
        }
        await drain(max(latency, .milliseconds(50)))
    }

    // MARK: Calls

    private mutating func send(_ step: ProbeStep, _ target: VendorTargets.Target, _ operation: String) async throws {
        if let name = names.unknown(in: step.text).first {
            return unchecked(operation, "no answer of the vendor's yields {\(name)}")
        }
        if let reason = unreachable[target.authority] { return unchecked(operation, reason) }
        switch step.deed {
        case .call(let request): try await call(request, step, target, operation)
        case .open(let name, let request): try await open(name, request, target, operation)
        case .message(let name, let text):
            guard let socket = sockets.last(where: { $0.name == name }), !socket.record.hasEnded else {
                return unchecked(operation, "\(name) is not open")
            }
            try await line.pace()
            let text = names.resolve(text)
            let message = (try? JSON(parsing: text))?.text ?? text
            socket.record.note(sent: Array(message.utf8))
            socket.socket.send(text: Array(message.utf8))
        case .close(let name, let code):
            guard let socket = sockets.last(where: { $0.name == name }) else { return }
            await drain(max(latency, .milliseconds(50)))
            socket.record.noteEnd(code)
            socket.socket.close(code)
        case .act: break
        }
    }

    private mutating func unchecked(_ operation: String, _ reason: String) { outcome.unchecked.append((operation, reason)) }

    private mutating func call(
        _ request: ProbeStep.Request, _ step: ProbeStep, _ target: VendorTargets.Target, _ operation: String
    ) async throws {
        let (path, headers, body) = resolved(request)
        try await line.pace()
        let (time, number) = clock.stamp()
        var outgoing = HTTPClient.Request(request.method, target.url(path), headers: headers, body: body, tls: line.tls)
        outgoing.isProxied = true
        var call = Self.call(request.method, path, headers, body, target, time, number)
        do throws(CallFailure) {
            let answer = try await HTTPClient(limits: .init(body: 16 << 20)).send(outgoing)
            (call.status, call.answerHeaders, call.answerBody) = (answer.status, answer.headers, Archive.Body(bytes: answer.body))
        } catch {
            lose(error, target, operation)
        }
        finish(&call)
        try take(call, step, operation)
    }

    private mutating func open(
        _ name: String, _ request: ProbeStep.Request, _ target: VendorTargets.Target, _ operation: String
    ) async throws {
        let (path, headers, _) = resolved(request)
        try await line.pace()
        let (time, number) = clock.stamp()
        let record = ProbeSocket(clock)
        var call = Self.call(.get, path, headers, [], target, time, number)
        do throws(CallFailure) {
            switch try await ClientSocket.open(target.url(path), headers: headers, tls: line.tls, isProxied: true, { record.take($0) }) {
            case .open(let socket, let answer):
                (call.status, call.answerHeaders, call.messages) = (101, answer, [])
                sockets.append(Socket(name: name, socket: socket, record: record, call: outcome.calls.count))
            case .refused(let status, let answer, let body):
                (call.status, call.answerHeaders, call.answerBody) = (status, answer, Archive.Body(bytes: body))
            }
        } catch {
            lose(error, target, operation)
        }
        finish(&call)
        try take(call, nil, operation)
    }

    private mutating func lose(_ failure: CallFailure, _ target: VendorTargets.Target, _ operation: String) {
        let reason = "no answer of \(target.authority): \(failure)"
        unchecked(operation, reason)
        switch failure.kind {
        case .timedOut, .closed, .tooLong, .cancelled, .other: break
        // Nobody is there.
        case .missing, .url, .unknownHost, .connectTimedOut, .network, .tls: unreachable[target.authority] = reason
        }
    }

    private func resolved(_ request: ProbeStep.Request) -> (path: String, headers: HTTPFields, body: [UInt8]) {
        let body = names.resolve(request.body)
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: names.resolve(value))) }
        }
        if headers[.contentType] == nil, body.hasPrefix("{") || body.hasPrefix("[") { headers[.contentType] = "application/json" }
        if headers[.userAgent] == nil { headers[.userAgent] = line.agent }
        return (names.resolve(request.target), headers, Array(body.utf8))
    }

    private static func call(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: [UInt8], _ target: VendorTargets.Target,
        _ time: Timestamp, _ number: Int
    ) -> Archive.Call {
        Archive.Call(
            index: number, started: time, took: 0, method: method, scheme: target.scheme, authority: target.authority, target: path,
            headers: headers, body: Archive.Body(bytes: body), status: nil, answerHeaders: [:], answerBody: Archive.Body(),
            own: Archive.Own(isOutbound: false, isCaused: false, entry: number, time: time))
    }

    private func finish(_ call: inout Archive.Call) {
        let ended = clock.stamp().time
        call.own?.ended = ended
        call.took = Double((ended - call.started).milliseconds)
    }

    private mutating func take(_ call: Archive.Call, _ step: ProbeStep?, _ operation: String) throws {
        outcome.calls.append(call)
        if call.status == 429 { throw Throttled(operation: operation) }
        guard let step, call.status != nil else { return }
        names.learn(step.expected, call.answerHeaders, call.answerBody.bytes)
    }

    /// Takes credentials from elsewhere, and notes how the fresh sandbox comes by its own.
    private mutating func take(_ step: ProbeStep, _ wanted: [String]) async throws {
        var given: [String: String] = [:]
        for name in wanted where !names.unknown(in: "{\(name)}").isEmpty {
            let value = try await supply(String(name.prefix { $0 != "-" }))
            names.set(name, value)
            given[name] = value
        }
        let (time, number) = clock.stamp()
        outcome.acts.append(RecordedSandbox.Act(time: time, entry: number, ProbeSupply(step: step, names: names, given: given)))
    }

    // MARK: Acts

    private mutating func act(_ step: ProbeStep) async throws {
        guard let hand, case .act(let request) = step.deed else { return }
        if let name = names.unknown(in: step.text).first {
            return unchecked("the act \(request.target)", "no answer of the vendor's yields {\(name)}")
        }
        let (path, headers, body) = resolved(request)
        let resolved = ProbeStep.Request(
            request.method, path, headers: request.headers.map { ($0.name, names.resolve($0.value)) },
            body: String(decoding: body, as: UTF8.self))
        let (time, number) = clock.stamp()
        let answer = try await hand.perform(resolved)
        if path.hasPrefix("clock/"), let by = try? JSON(parsing: body)["by"]?.string.flatMap({ Duration(text: $0) }) {
            clock.advance(by: by)
        }
        names.learn(step.expected.body, answer.text)
        guard !["clock", "journal", "devices"].contains(where: { path.hasPrefix($0) }) else { return }
        var call = Archive.Call(
            index: number, started: time, took: 0, method: request.method, scheme: "http", authority: "localhost",
            target: "/__admin/sandboxes/\(Replay.probed)/\(path)", headers: headers, body: Archive.Body(bytes: body), status: 200,
            answerHeaders: [:], answerBody: Archive.Body(bytes: answer == .null ? [] : answer.bytes), own: nil)
        call.headers[.contentType] = "application/json"
        outcome.acts.append(RecordedSandbox.Act(time: time, entry: number, call, cause: "\(request.method) \(path)"))
    }

    // MARK: Waiting

    /// Waits for as much as came elsewhere, and a little for more.
    private mutating func settle(_ step: ProbeStep, since counts: [Int]) async {
        for (name, count) in step.expected.counts {
            guard let place = sockets.lastIndex(where: { $0.name == name }) else { continue }
            let record = sockets[place].record
            let wanted = (counts.indices.contains(place) ? counts[place] : 0) + count
            await wait(line.patience) { record.count >= wanted || record.hasEnded }
        }
        await drain(latency)
        learn(step)
    }

    /// Finds what names stand for in the messages that have come.
    private mutating func learn(_ step: ProbeStep) {
        for (name, text) in step.expected.messages {
            guard !names.unknown(in: text).isEmpty, let socket = sockets.last(where: { $0.name == name }),
                let template = try? JSON(parsing: text)
            else { continue }
            let messages = socket.record.messages.filter { !$0.isSent }.compactMap { try? JSON(parsing: $0.bytes) }
            let likest = messages.map { ($0, ProbeNames.likeness(template, $0)) }.max { $0.1 < $1.1 }
            if let likest { names.learn(template, likest.0) }
        }
    }

    /// Waits until nothing has come for a while.
    private func drain(_ limit: Duration) async {
        guard sockets.contains(where: { !$0.record.hasEnded }) else { return }
        var (seen, last) = (counts, ContinuousClock.now)
        await wait(max(line.patience, limit)) {
            let count = counts
            if count != seen { (seen, last) = (count, .now) }
            return ContinuousClock.now - last > limit
        }
    }

    private var counts: [Int] { sockets.map(\.record.count) }

    /// A message that is under way may take as long as an answer does.
    private var latency: Duration {
        let longest = outcome.calls.map(\.took).max() ?? 0
        return .milliseconds(min(max(Int64(clamped: 2 * longest), 5), 1000))
    }

    private func wait(_ limit: Duration, until isOver: () -> Bool) async {
        let deadline = ContinuousClock.now + limit
        while !isOver(), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(1)) }
    }

    /// Puts what came on sockets to the calls that opened them.
    private mutating func finish() {
        for socket in sockets {
            outcome.calls[socket.call].messages = socket.record.messages
            outcome.calls[socket.call].own?.end = socket.record.end
            if !socket.record.hasEnded { socket.socket.close(1000) }
        }
    }
}
