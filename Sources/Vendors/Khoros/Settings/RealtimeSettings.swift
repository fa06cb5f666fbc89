import SparringJSON

/// What the server says about the socket (Khoros reference 1.4 and 1.7): the app's member `realtime`.
struct RealtimeSettings: Decodable, Sendable {
    var enabled: Bool
    /// Seconds, all of them clients' own.
    var retryInterval: Int64
    var maxConnectionAttempts: Int64
    var connectionDelay: Int64
    /// How long the answer to a connect is held.
    var timeout: Duration

    /// As clients read it.
    func wire(baseURL: String) -> JSON {
        [
            "enabled": .bool(enabled), "retryInterval": .integer(retryInterval),
            "maxConnectionAttempts": .integer(maxConnectionAttempts), "connectionDelay": .integer(connectionDelay),
            "baseUrl": .string(baseURL),
        ]
    }
}
