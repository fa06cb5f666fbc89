import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox
import Support
import Testing

/// A sandbox of its own for one client, and time there: the clock is frozen, and sleeping advances it. With a scale the clock is the
/// machine's, and a second takes so much of one.
struct ClientStage: Sendable {
    let server: TestServer
    let sandbox: String
    let scene: Scene
    let scale: Double?
    /// The lane of the consumer that signs in, as the contract's `x-lane` names it.
    static let lane = "ada"

    init(_ scenario: String?, on server: TestServer, as sandbox: String, scale: Double? = nil, tenants: JSON = [:]) async throws {
        (self.server, self.sandbox, self.scale) = (server, sandbox, scale)
        let file = try await scenario.mapAsync { try await server.send(.get, "/__admin/scenarios/\($0)").json ?? .null }
        let now = file?["sandbox"]?["clock"]?["now"] ?? "2026-01-01T00:00:00Z"
        var both: JSON = [
            "liveperson": ["accountId": .string(sandbox), "agents": [["userId": "55", "nickname": "Alex"]]],
            "identity": ["tenantId": .string("brand-\(sandbox)")],
        ]
        for (vendor, members) in tenants.object ?? [:] {
            for (name, value) in members.object ?? [:] {
                if both[vendor] == nil { both[vendor] = [:] }
                both[vendor]?[name] = value
            }
        }
        let made = try await server.send(
            .post, "/__admin/sandboxes",
            json: .members([
                "name": .string(sandbox), "scenario": scenario.map { .string($0) },
                "clock": scale == nil ? ["mode": "frozen", "now": now] : nil, "tenants": both,
            ]))
        try #require(made.status == 201, "\(made.text)")
        scene = try await Scene(server, sandbox: sandbox)
    }

    // MARK: Time

    /// The sandbox's time, in seconds.
    func now() throws -> Double {
        let text = try #require(server.engine.world.sandbox(sandbox)?.clock.json["now"]?.string)
        return Double(try #require(Timestamp(text)).milliseconds) / 1000
    }

    /// Waits: advances the clock or, with a scale, sleeps.
    func pass(_ seconds: Double) async throws {
        guard let scale else {
            try await server.admin(.post, "clock/advance", ["by": .string("\(Int(seconds * 1000))ms")], sandbox: sandbox)
            return
        }
        // The one client whose timers are real ones.
        try await ContinuousClock().sleep(for: .milliseconds(Int64(seconds * scale * 1000)))
    }

    /// Lets a call come to its end: time passes while a fault holds it back, and never else.
    ///
    /// - Parameter meanwhile: is done once, so many seconds after the beginning, if the call has not come to its end by then.
    /// - Returns: nil where nothing usable came, or not within `timeOut` seconds; then the connection has been dropped.
    func drive<Value: Sendable>(
        timeOut: Double, meanwhile: (after: Double, act: @Sendable () async throws -> Void)? = nil,
        _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let task = Task { try await call() }
        let watching = Task {
            let outcome = await task.result
            result.withLock { $0 = outcome }
        }
        let hangUps = try await scale == nil ? hangUps() : 0
        var (left, watch, meanwhile) = (timeOut, Watch(), meanwhile)
        while result.withLock({ $0 == nil }) {
            if let wait = try await hold(&watch) {
                let untilThen = meanwhile.map { $0.after - (timeOut - left) } ?? .infinity
                let step = min(wait, left, untilThen)
                try await pass(step)
                left -= step
                if step == untilThen, let act = meanwhile.take()?.act { try await act() }
                if left <= 0 {
                    task.cancel()
                    await watching.value
                    try await until { try await self.hangUps() > hangUps }
                    return nil
                }
            } else {
                try await Self.glance()
            }
        }
        await watching.value
        return try? result.withLock { $0 }?.get()
    }

    /// Between two looks at what is under way. Faults show in what the clock and the journal say, never in how long they took: all this
    /// spares is a busy loop for each of the clients that play side by side.
    static func glance() async throws { try await ContinuousClock().sleep(for: .milliseconds(1)) }

    /// How long what is under way is held back; nil where it is not, as far as can be seen.
    func hold(_ watch: inout Watch) async throws -> Double? {
        let now = ContinuousClock.now
        guard scale == nil, now - watch.looked > .milliseconds(1) else { return nil }
        watch.looked = now
        guard let clock = server.engine.world.sandbox(sandbox)?.clock.json, let time = Timestamp(clock["now"]?.string ?? "") else {
            return nil
        }
        let held = clock["pending"]?.array?.filter { item in
            let what = item["what"]?.string ?? ""
            return what.contains("delayed by") || what.contains("paused by")
        }
        if let due = held?.compactMap({ Timestamp($0["due"]?.string ?? "") }).min() {
            return max(0.001, Double((due - time).milliseconds) / 1000)
        }
        // What is stalled, or sent on a dead socket, waits for nothing: time passes until something ends it.
        guard now - watch.asked > .milliseconds(100) else { return nil }
        watch.asked = now
        return try await isStalled() ? 10 : nil
    }

    /// When it was last looked whether something is held back: by the machine's clock, which decides nothing.
    struct Watch {
        var looked = ContinuousClock.now
        /// The journal was asked.
        var asked = ContinuousClock.now
    }

    private func isStalled() async throws -> Bool {
        let entries = try await server.journal("", sandbox: sandbox)
        let connections = entries.filter { $0["kind"] == "connection" }
        if connections.last?["details"]?["connection"] == "taken" { return true }
        if let last = entries.last(where: { $0["kind"] == "exchange" && $0["causedBy"] == nil }), let number = last["number"]?.integer,
            last["answer"]?["delivery"]?.string?.contains("stalled") == true
        {
            let isOver = entries.contains { $0["kind"] == "hang-up" && ($0["number"]?.integer ?? 0) > number }
            if !isOver { return true }
        }
        let frozen = entries.last { $0["kind"] == "socket" && $0["details"]?["frozen"] != nil }
        guard let socket = frozen?["details"]?["socket"] else { return false }
        // A client that has another socket by now does not wait on the dead one.
        guard socket.integer == entries.compactMap({ $0["details"]?["socket"]?.integer }).max() else { return false }
        return !entries.contains { $0["kind"] == "socket" && $0["details"]?["by"] != nil && $0["details"]?["socket"] == socket }
    }

    private func hangUps() async throws -> Int {
        server.addresses.port > 0
            ? try await server.journal("", sandbox: sandbox).count {
                $0["kind"] == "hang-up" || $0["kind"] == "connection" && $0["details"]?["connection"] != "taken"
            } : 0
    }

    /// Waits a little until the server knows too that so many sockets are over, or dead, so that the journal has their ends before what follows. It
    /// may never hear of one in the pipeline that it closed as it was opened.
    ///
    /// - Returns: how many it knows of.
    func known(_ endings: Int) async throws -> Int {
        let limit = ContinuousClock.now + .seconds(3)
        while true {
            let entries = try await server.journal("?kind=socket", sandbox: sandbox)
            let over = entries.filter { $0["details"]?["by"] != nil || $0["details"]?["frozen"] != nil }
            let known = Set(over.compactMap { $0["details"]?["socket"]?.integer }).count
            if known >= endings || ContinuousClock.now > limit { return known }
            try await Self.glance()
        }
    }

    // MARK: Around the client

    /// Reports an event that is not seen on the wire.
    func mark(_ name: String, _ members: JSON = [:], lane: String = Self.lane) async throws {
        var body: JSON = ["mark": .string(name), "lane": .string(lane)]
        for (member, value) in members.object ?? [:] { body[member] = value }
        try await server.admin(.post, "journal/marks", body, sandbox: sandbox)
    }

    /// An agent acts in the consumer's conversation, if there is one.
    func agentSays(_ text: String) async throws {
        let body: JSON = ["consumer": .string(Self.lane), "text": .string(text)]
        _ = try await server.send(.post, "/__admin/sandboxes/\(sandbox)/liveperson/agent/say", json: body)
    }

    /// The token that the system has given the device since; nil where it has the one it had.
    func newToken(of device: String) async throws -> String? {
        try await server.admin(.get, "devices", sandbox: sandbox)["devices"]?.array?.first { $0["token"]?.string == device }?["renewed"]?
            .string
    }

    /// The notifications that the device was given.
    func pushes(to device: String) async throws -> [JSON] {
        let answer = try await server.send(.get, "/__admin/sandboxes/\(sandbox)/devices/\(device)/notifications")
        return answer.json?["notifications"]?.array ?? []
    }

    func judge(_ request: JSON = ["timeBasis": "sandbox", "settle": "10m"]) async throws -> Judged {
        Judged(try await server.admin(.post, "verdicts", request, sandbox: sandbox))
    }

    func delete() async throws { try await server.admin(.delete, "", sandbox: sandbox) }
}

extension Optional {
    fileprivate func mapAsync<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        switch self {
        case .some(let wrapped): try await transform(wrapped)
        case .none: nil
        }
    }
}
