import HTTPTypes
import SparringJSON
import SparringSandbox
import Support

/// Many apps in one sandbox, each in a lane of its own, which faults strike by lane: what each of them gets must not depend on the others.
struct Crowd: Sendable {
    let seed: Int64
    let faults: [String]
    /// Each app with its deeds, in their order.
    let deeds: [(app: AppName, deeds: [String])]

    /// How apps take turns.
    enum Turns: Sendable {
        /// All of an app's, then all of the next one's.
        case oneByOne
        case atOnce
        /// This app is the only one.
        case alone(AppName)
    }

    static let size = 64
    /// A customer's place in the queue depends on the other customers, as it should.
    private static let queue = "cxone.setPositionInQueue"

    init(drawn seed: Int64) {
        self.seed = seed
        var draws = StoryDraws(seed: seed)
        faults = (0..<(1 + draws.below(3))).map { _ in draws.laneFault() }
        deeds = (0..<Self.size).map { index in
            let app = AppName("p\(index / StoryDraws.vendors.count)", StoryDraws.vendors[index % StoryDraws.vendors.count])
            return (app, ["sign-in", "enter"] + (0..<(2 + draws.below(4))).map { draws.laneDeed($0, app) })
        }
    }

    /// - Returns: by lane, the outcome of each deed and the journal's entries.
    func play(_ turns: Turns) async throws -> [String: [String]] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let server = try SimulatedServer(database: folder.file("crowd.sqlite"))
        do {
            try await Simulation.create("a", seed: seed, server)
            for fault in faults { try await server.admin(.post, "sandboxes/a/faults", ["fault": .string(fault)]) }
            let outcomes = try await outcomes(turns, server)
            let entries = try await Self.entries(server)
            try await server.stop()
            return Dictionary(
                uniqueKeysWithValues: outcomes.map { app, outcomes in
                    (app.lane, outcomes + (entries[app.lane] ?? []) + (entries["\(app.lane) sockets"] ?? []))
                })
        } catch {
            try? await server.stop()
            throw error
        }
    }

    /// The entries by the lane that each of them names: one person may use several apps, each in a lane of its own.
    private static func entries(_ server: SimulatedServer) async throws -> [String: [String]] {
        var lanes: [String: [String]] = [:]
        var since: Int64 = 0
        while true {
            let page = try await server.admin(.get, "sandboxes/a/journal?since=\(since)&limit=5000")
            guard let entries = page["entries"]?.array, !entries.isEmpty, let next = page["next"]?.integer else { return lanes }
            for entry in entries where entry["operation"]?.string != queue {
                // The end of a socket is written when the connection has said so, maybe after the app's next call.
                let lane = (entry["lane"]?.string ?? "") + (entry["kind"] == "socket" ? " sockets" : "")
                lanes[lane, default: []].append(told(entry))
            }
            since = next
        }
    }

    private func outcomes(_ turns: Turns, _ server: SimulatedServer) async throws -> [AppName: [String]] {
        let published = try await server.admin(.get, "sandboxes/a")["tenants"] ?? [:]
        @Sendable func perform(_ name: AppName, _ deeds: [String]) async throws -> [String] {
            guard let app = Simulation.app(name, AppLine(name, in: "a", server), published) else { return [] }
            var outcomes: [String] = []
            for deed in deeds {
                let outcome = try await Simulation.perform(deed.split(separator: " ").map(String.init), by: app, SimulatedBrand(published))
                outcomes.append("\(deed): \(outcome.rawValue)")
            }
            return outcomes
        }
        switch turns {
        case .alone(let only):
            guard let found = deeds.first(where: { $0.app == only }) else { return [:] }
            return [only: try await perform(found.app, found.deeds)]
        case .oneByOne:
            var all: [AppName: [String]] = [:]
            for (app, deeds) in deeds { all[app] = try await perform(app, deeds) }
            return all
        case .atOnce:
            return try await withThrowingTaskGroup(of: (AppName, [String]).self) { group in
                for (app, deeds) in deeds { group.addTask { (app, try await perform(app, deeds)) } }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
    }

    nonisolated(unsafe) private static let socket = /socket \d+/

    /// An entry without its place among those of other lanes.
    private static func told(_ entry: JSON) -> String {
        var lasting = (try? JSON(parsing: Simulation.lasting(entry))) ?? [:]
        for name in ["number", "connection", "socket", "causedBy"] { lasting[name] = nil }
        lasting["details"]?["socket"] = nil
        // Sockets are numbered in their sandbox.
        return lasting.text.replacing(socket) { _ in "socket" }
    }
}

extension StoryDraws {
    /// A fault that counts each lane by itself, and takes no time.
    mutating func laneFault() -> String {
        let vendor = (Self.vendors + ["identity", "*"])[below(Self.vendors.count + 2)]
        let effects = [
            "status code=503", "status code=500 phase=onResponseStart", "malformed-json", "empty-body", "EMPTY_RESPONSE",
            "CONNECTION_RESET_BY_PEER phase=onResponseStart", "truncate",
        ]
        let effect = effects[below(effects.count)]
        return "\(vendor == "*" ? "*" : "\(vendor).*") \(effect) per=lane "
            + ["every=\(2 + below(3))", "probability=0.\(1 + below(6))", "skip=\(below(4)) times=2"][below(3)]
    }

    mutating func laneDeed(_ number: Int, _ app: AppName) -> String {
        ["say \(number)", "say \(number)", "read", "register \(app.lane)-\(number)", "end", "enter"][below(6)]
    }
}
