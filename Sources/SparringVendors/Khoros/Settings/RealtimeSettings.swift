import SparringEngine
import SparringJSON
import SparringJournal

/// What the server says about the socket (Khoros reference 1.4 and 1.7): the app's member `realtime`.
struct RealtimeSettings: Sendable {
    var isEnabled: Bool
    /// Seconds, all of them clients' own.
    var retryInterval: Int64
    var maxConnectionAttempts: Int64
    var connectionDelay: Int64
    /// How long the answer to a connect is held.
    var timeout: Duration

    static let member = "realtime"

    init(_ app: Members) throws(ConfigurationError) {
        let members = try Members(
            app.object[Self.member] ?? [:], at: app.pointer.appending(Self.member),
            known: ["enabled", "retryInterval", "maxConnectionAttempts", "connectionDelay", "timeout"])
        isEnabled = try members.bool("enabled") ?? true
        retryInterval = try members.integer("retryInterval", in: 0...86_400) ?? 10
        maxConnectionAttempts = try members.integer("maxConnectionAttempts", in: 0...1000) ?? 3
        connectionDelay = try members.integer("connectionDelay", in: 0...86_400) ?? 0
        timeout = try members.lifetime("timeout") ?? .seconds(45)
        guard timeout >= .seconds(1) else { throw members.error("timeout", "less than a second: clients would ask again and again") }
    }

    var configuration: JSON {
        var json = JSON.object(members)
        json["timeout"] = .string(timeout.shortText)
        return json
    }

    private var members: JSON.Object {
        [
            "enabled": .bool(isEnabled), "retryInterval": .integer(retryInterval),
            "maxConnectionAttempts": .integer(maxConnectionAttempts), "connectionDelay": .integer(connectionDelay),
        ]
    }

    /// As clients read it.
    func wire(baseURL: String) -> JSON {
        var json = JSON.object(members)
        json["baseUrl"] = .string(baseURL)
        return json
    }
}
