import SparringEngine
import SparringJSON
import SparringTokens

/// Where an app installation has what happens in conversations posted to: the capability `webhooks` of its manifest (Connector API,
/// Getting Started).
struct WebhookSettings: Sendable {
    /// What can be asked for, under the names of the manifest.
    enum Event: String, Sendable, CaseIterable {
        case conversationChange = "cqm.ExConversationChangeNotification"
        case content = "ms.MessagingEventNotification.ContentEvent"
        case richContent = "ms.MessagingEventNotification.RichContentEvent"
        case acceptStatus = "ms.MessagingEventNotification.AcceptStatusEvent"
        case chatState = "ms.MessagingEventNotification.ChatStateEvent"
    }

    struct Endpoint: Sendable {
        /// With a slash in front: on this server.
        var url: String
        /// Further attempts, 30 s apart. With a retention time only 0 counts: then a notification that fails is dropped.
        var retries: Int?
    }

    static let none = WebhookSettings(endpoints: [:], retention: nil)

    var endpoints: [Event: Endpoint]
    /// How long a notification that failed is tried again; nil: the number of retries decides.
    var retention: Duration?

    private static let retryMember = "retry"
    /// "Up to 5 retry attempts" (Webhooks, Retry Policy).
    private static let mostRetries = 5
    /// "A minimum of 2 seconds and a maximum of 3 days" (Webhooks, Retry Policy).
    private static let retentions: ClosedRange<Int64> = 2...259_200

    private init(endpoints: [Event: Endpoint], retention: Duration?) {
        self.endpoints = endpoints
        self.retention = retention
    }

    /// - Parameter capabilities: the manifest's; those beside `webhooks` mean nothing here.
    init(capabilities: Members) throws(ConfigurationError) {
        self = .none
        guard let json = try capabilities.object("webhooks") else { return }
        let webhooks = try Members(
            .object(json), at: capabilities.pointer.appending("webhooks"), known: Event.allCases.map(\.rawValue) + [Self.retryMember])
        if let json = try webhooks.object(Self.retryMember) {
            let retry = try Members(.object(json), at: webhooks.pointer.appending(Self.retryMember), known: ["retention_time"])
            guard let seconds = try retry.integer("retention_time", in: Self.retentions) else {
                throw retry.error("retention_time", "retry needs its retention_time, in seconds")
            }
            retention = .seconds(seconds)
        }
        for event in Event.allCases {
            guard let json = try webhooks.object(event.rawValue) else { continue }
            let endpoint = try Members(
                .object(json), at: webhooks.pointer.appending(event.rawValue), known: ["endpoint", "max_retries"])
            guard let url = try endpoint.endpoint("endpoint") else {
                throw endpoint.error("endpoint", "a webhook needs its URL, absolute or a path of this server")
            }
            let retries = try endpoint.integer("max_retries", in: 0...Int64(Self.mostRetries))
            endpoints[event] = Endpoint(url: url, retries: retries.map(Int.init))
        }
    }
}
