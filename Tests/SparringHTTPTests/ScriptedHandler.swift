import Dispatch
import HTTPTypes
import SparringHTTP
import SparringJournal
import SparringLocks
import Support

/// A handler whose answers a test writes, and which remembers how it was called.
final class ScriptedHandler: RequestHandler {
    enum Event: Sendable {
        case received(RequestHead)
        case held(Request)
        case handled(Request)
        /// It is kept waiting, and can be released.
        case kept
        case completed(target: String, reason: String?)
        case rejected(target: String, reason: String)
        case silent(port: String?, connection: Int, isLeft: Bool, extent: SilentConnection.Extent? = nil)
        /// Something the test itself noted.
        case noted(String)
    }

    private struct State {
        var events: [Event] = []
        var held: [Exchange] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        let isMet: @Sendable ([Event]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let state = Mutex(State())
    private let onReceive: @Sendable (RequestHead) -> Reception
    private let onHandle: @Sendable (ScriptedHandler, Exchange) -> Void
    private let onHeld: @Sendable (ScriptedHandler, Exchange) -> Void
    private let onServes: @Sendable (_ host: String) -> Bool

    init(
        handle: @escaping @Sendable (ScriptedHandler, Exchange) -> Void = { _, exchange in exchange.echo() },
        held: @escaping @Sendable (ScriptedHandler, Exchange) -> Void = { handler, exchange in handler.hold(exchange) },
        receive: @escaping @Sendable (RequestHead) -> Reception = { _ in .read(limit: 1 << 24) },
        serves: @escaping @Sendable (_ host: String) -> Bool = { _ in false }
    ) {
        onServes = serves
        onReceive = receive
        onHandle = handle
        onHeld = held
    }

    func receive(_ head: RequestHead) -> Reception {
        note(.received(head))
        return onReceive(head)
    }

    func serves(host: String, port: Int) -> Bool { onServes(host) }

    func held(_ exchange: Exchange) {
        note(.held(exchange.request))
        onHeld(self, exchange)
    }

    func handle(_ exchange: Exchange) {
        note(.handled(exchange.request))
        onHandle(self, exchange)
    }

    func completed(_ exchange: Exchange, _ completion: Completion) {
        let reason: String? =
            switch completion {
            case .sent: nil
            case .broken(let reason), .replaced(let reason): reason
            }
        note(.completed(target: exchange.request.head.target, reason: reason))
    }

    func rejected(target: String, reason: String, isTLS: Bool, arrival: Arrival) { note(.rejected(target: target, reason: reason)) }

    func full(limit: Int) { note(.noted("full at \(limit)")) }

    func silent(_ connection: SilentConnection) {
        if let host = connection.host { note(.noted("silent to \(host)")) }
        note(.silent(port: connection.port, connection: connection.number, isLeft: connection.left != nil, extent: connection.extent))
    }

    // MARK: what the test does

    var events: [Event] { state.withLock { $0.events } }
    /// The ports of connections that were over without a request.
    var silent: [String] { events.compactMap { if case .silent(let port?, _, true, _) = $0 { port } else { nil } } }
    var heads: [RequestHead] { events.compactMap { if case .received(let head) = $0 { head } else { nil } } }
    var handled: [Request] { events.compactMap { if case .handled(let request) = $0 { request } else { nil } } }
    var held: [Request] { events.compactMap { if case .held(let request) = $0 { request } else { nil } } }
    var rejected: [(target: String, reason: String)] {
        events.compactMap { if case .rejected(let target, let reason) = $0 { (target, reason) } else { nil } }
    }
    /// The reasons of broken exchanges, nil for those that were sent.
    var completions: [String?] { events.compactMap { if case .completed(_, let reason) = $0 { .some(reason) } else { nil } } }
    var notes: [String] { events.compactMap { if case .noted(let note) = $0 { note } else { nil } } }

    /// Keeps an exchange waiting, for ``release(_:)``.
    func hold(_ exchange: Exchange) {
        state.withLock { $0.held.append(exchange) }
        note(.kept)
    }

    /// The exchanges that wait, in the order of arrival; from here on they are the test's.
    func takeHeld() -> [Exchange] {
        state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
    }

    /// Answers what waits, in the order of arrival.
    func release(_ delivery: Delivery = .answer(Response(status: 200))) {
        for exchange in takeHeld() { exchange.deliver(delivery) }
    }

    func note(_ text: String) { note(.noted(text)) }

    /// Waits until what was noted satisfies `isMet`; false when ``patience`` is at its end.
    func waits(until isMet: @escaping @Sendable ([Event]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int? in
                if isMet(state.events) { return nil }
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = Waiter(isMet: isMet, continuation: continuation)
                return state.lastWaiter
            }
            guard let number else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1)) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
            }
        }
    }

    func waits(forHandled count: Int) async -> Bool {
        await waits { $0.count { if case .handled = $0 { true } else { false } } >= count }
    }

    func waits(forKept count: Int) async -> Bool {
        await waits { $0.count { if case .kept = $0 { true } else { false } } >= count }
    }

    func waits(forCompleted count: Int) async -> Bool {
        await waits { $0.count { if case .completed = $0 { true } else { false } } >= count }
    }

    func waits(forNote note: String) async -> Bool {
        await waits { $0.contains { if case .noted(note) = $0 { true } else { false } } }
    }

    private func note(_ event: Event) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { $0.value.isMet(state.events) }
            for number in met.keys { state.waiters[number] = nil }
            return met
        }
        for waiter in met.values { waiter.continuation.resume(returning: true) }
    }
}

extension Exchange {
    /// Answers `METHOD target` on a line, then the body.
    func echo() {
        deliver(.answer(Response(status: 200, body: .bytes(Array("\(request.head.method) \(request.head.target)\n".utf8) + request.body))))
    }
}

/// Runs `body` against a server on free ports of IPv4 loopback, and stops it afterwards.
@discardableResult
func withServer<Value>(
    _ handler: ScriptedHandler = ScriptedHandler(), configure: (inout HTTPServer.Options) -> Void = { $0.addresses = ["127.0.0.1"] },
    _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    var options = HTTPServer.Options()
    options.headTimeout = patience  // a busy machine may be slow to send what a test has it send
    configure(&options)
    let server = try HTTPServer(options, handler: handler)
    let value: Result<Value, any Error>
    do { value = .success(try await body(server)) } catch { value = .failure(error) }
    handler.release(.empty)
    await server.stop(grace: .milliseconds(10)) { handler.release(.empty) }
    return try value.get()
}
