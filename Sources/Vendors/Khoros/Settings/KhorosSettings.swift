import SparringVendorKit

extension Khoros {
    /// One app's configuration (`contracts/khoros.tenant.schema.yaml`).
    final class Settings: Decodable, DeskSettings, TenantNames {
        enum Status: String, Decodable {
            /// Clients stop at the configuration of an app that is not active.
            case active, inactive
        }

        /// One of the app's keys; JWTs that it signed end when it is deleted (Khoros reference 1.5).
        struct Key: Decodable, Sendable {
            /// `kid` of the JWTs.
            var id: String
            var secret: String
        }

        let appId: String
        let appName: String
        let status: Status
        let integrations: [Integration]
        let keys: [Key]
        let agents: [Agent]
        let retryPolicy: RetryPolicy
        let realtime: RealtimeSettings
        let allowsSeveralConversations: Bool
        /// False: the login of an unknown user is answered empty, and the first message creates them (Khoros reference 1.3).
        let usersAreMadeAtLogin: Bool
        /// Whether `userId` of a login must be the JWT's (assumed, Khoros reference 1.5).
        let checksUserId: Bool
        /// How wrong the brand's clock may be about `exp`.
        let clockSkew: Duration
        /// Refuses JWTs whose `iat` is ahead by more than a minute. The vendor's own sample sets it in milliseconds, thousands of years ahead, so
        /// that it is only a finding otherwise.
        let refusesFutureIssuedAt: Bool
        /// Conversations of one answer (Khoros reference 1.3).
        let conversationPage: Int
        /// Messages of one answer.
        let historyPage: Int
        /// In bytes.
        let largestFile: Int

        /// Calls for the configuration name an integration and not the app.
        var names: [String] { integrations.map(\.id) }

        func key(_ id: String) -> Key? { keys.first { $0.id.isSame(as: id) } }
        func integration(_ id: String) -> Integration? { integrations.first { $0.id.isSame(as: id) } }
        func integration(for platform: Integration.Platform) -> Integration? { integrations.first { $0.platform == platform } }
    }
}

/// How clients are to repeat calls that failed with 429 or 5xx (Khoros reference 1.10): the app's member `retryPolicy`.
struct RetryPolicy: Decodable, Sendable {
    /// Seconds before the first repeat, and where it is urgent.
    var regular: Int64
    var aggressive: Int64
    /// Each further wait is as many times as long.
    var backoffMultiplier: Int64
    var maxRetries: Int64

    /// The policy as clients read it.
    var wire: JSON {
        [
            "intervals": ["regular": .integer(regular), "aggressive": .integer(aggressive)],
            "backoffMultiplier": .integer(backoffMultiplier), "maxRetries": .integer(maxRetries),
        ]
    }
}

/// The server's settings for the socket (Khoros reference 1.4 and 1.7): the app's member `realtime`.
struct RealtimeSettings: Decodable, Sendable {
    var enabled: Bool
    /// Seconds, all of them clients' own.
    var retryInterval: Int64
    var maxConnectionAttempts: Int64
    var connectionDelay: Int64
    /// How long the answer to a connect is held.
    var timeout: Duration

    /// The settings as clients read them.
    func wire(baseURL: String) -> JSON {
        [
            "enabled": .bool(enabled), "retryInterval": .integer(retryInterval),
            "maxConnectionAttempts": .integer(maxConnectionAttempts), "connectionDelay": .integer(connectionDelay),
            "baseUrl": .string(baseURL),
        ]
    }
}
