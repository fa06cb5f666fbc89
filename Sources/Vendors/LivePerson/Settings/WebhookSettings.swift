import SparringVendorKit

/// The endpoints to which LivePerson posts events in conversations for an app installation: the capability `webhooks` of its manifest
/// (Connector API, Getting Started).
struct WebhookSettings: Decodable, Sendable {
    /// The events that can be asked for, under the names of the manifest.
    enum Event: String, CodingKey, Sendable, CaseIterable {
        case conversationChange = "cqm.ExConversationChangeNotification"
        case content = "ms.MessagingEventNotification.ContentEvent"
        case richContent = "ms.MessagingEventNotification.RichContentEvent"
        case acceptStatus = "ms.MessagingEventNotification.AcceptStatusEvent"
        case chatState = "ms.MessagingEventNotification.ChatStateEvent"
    }

    struct Endpoint: Decodable, Sendable {
        /// With a slash in front: on this server.
        var url: String
        /// Further attempts, 30 s apart. With a retention time only 0 counts: then a notification that fails is dropped.
        var retries: Int?

        private enum CodingKeys: String, CodingKey {
            case url = "endpoint"
            case retries = "max_retries"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            url = try members.endpointIfPresent(forKey: .url) ?? members.decode(String.self, forKey: .url)
            retries = try members.decodeIfPresent(Int.self, forKey: .retries)
        }
    }

    private struct Retry: Decodable {
        /// In seconds: "A minimum of 2 seconds and a maximum of 3 days" (Webhooks, Retry Policy).
        var retentionTime: Int64

        enum CodingKeys: String, CodingKey {
            case retentionTime = "retention_time"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case retry
    }

    private(set) var endpoints: [Event: Endpoint] = [:]
    /// How long a notification that failed is tried again; nil: the number of retries decides.
    let retention: Duration?

    init(from decoder: any Decoder) throws {
        let events = try decoder.container(keyedBy: Event.self)
        for event in Event.allCases { endpoints[event] = try events.decodeIfPresent(Endpoint.self, forKey: event) }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        retention = try members.decodeIfPresent(Retry.self, forKey: .retry).map { .seconds($0.retentionTime) }
    }
}
