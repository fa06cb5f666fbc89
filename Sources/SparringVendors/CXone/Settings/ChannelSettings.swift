import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// One channel of a brand: the brand's member `channels`, each with what `channelDefaults` says for all of them.
struct ChannelSettings: Sendable {
    enum Mode: String, CaseIterable {
        case single, multi, live
    }

    enum Availability: String, CaseIterable {
        case online, offline
    }

    enum Authorization: String, CaseIterable {
        case anonymous, oauth, securedCookie
    }

    var id: String
    var name: String
    var mode: Mode
    var availability: Availability
    var authorization: Authorization
    /// Whether customers are signed in by the token service, before the socket is opened.
    var securedSessions: Bool
    /// Whether a live chat's transcript may be mailed.
    var transcript: Bool
    /// Whether agents come without what identifies them (CXone reference 7.5).
    var hidesPersonalInformation: Bool
    /// By name, besides `securedSessions`.
    var features: [String: Bool]
    var files: FileRestrictions
    var preContactForm: PreContactForm?
    var proactiveActions: [ProactiveAction]
    /// JSON as the Web SDK reads them.
    var persistentMenu: [JSON] = []
    /// What else the configuration has, such as `colors`: apps may read what no SDK does.
    var more: JSON.Object
    /// Where live chats wait.
    var queue: String

    static let defaults = "channelDefaults"
    /// Whether the recovery of a live chat that is not there is an answer without data, and no failure (CXone reference 6.1 and 9.4).
    static let gentleRecovery = "isRecoverLivechatDoesNotFailEnabled"
    private static let members = [
        "name", "mode", "availability", "authorization", "securedSessions", "transcript", "hidesPersonalInformation", "features",
        FileRestrictions.member, PreContactForm.member, ProactiveAction.member, "persistentMenu", "queue", "more",
    ]

    static func read(_ brand: Members) throws(ConfigurationError) -> [ChannelSettings] {
        let common = try brand.object(defaults) ?? [:]
        _ = try Members(.object(common), at: brand.pointer.appending(defaults), known: members)
        var channels: [ChannelSettings] = []
        for (index, json) in (try brand.array("channels") ?? []).enumerated() {
            let place = brand.pointer.appending("channels").appending(index)
            let own = try Members(json, at: place, known: ["channelId"] + members)
            let all = common.merging(own.object, uniquingKeysWith: { $1 })
            let channel = try ChannelSettings(Members(.object(all), at: place, known: ["channelId"] + members))
            guard !channels.contains(where: { $0.id.isSame(as: channel.id) }) else {
                throw own.error("channelId", "'\(channel.id)' is another channel's already")
            }
            channels.append(channel)
        }
        guard !channels.isEmpty else { throw brand.error("channels", "a brand needs a channel") }
        return channels
    }

    private init(_ members: Members) throws(ConfigurationError) {
        guard let id = try members.string("channelId"), !id.isEmpty else { throw members.error("channelId", "a channel needs its id") }
        self.id = id
        name = try members.string("name") ?? id
        mode = try members.word("mode", Mode.self) ?? .single
        availability = try members.word("availability", Availability.self) ?? .online
        authorization = try members.word("authorization", Authorization.self) ?? .anonymous
        securedSessions = try members.bool("securedSessions") ?? false
        transcript = try members.bool("transcript") ?? true
        hidesPersonalInformation = try members.bool("hidesPersonalInformation") ?? false
        features = [Self.gentleRecovery: true]
        for (name, value) in try members.object("features") ?? [:] {
            let place = members.pointer.appending("features").appending(name)
            guard let isOn = value.bool else { throw ConfigurationError(place, "\(value.text.abbreviated(to: 100)) is not true or false") }
            guard name != "securedSessions" else { throw ConfigurationError(place, "the channel's own member securedSessions says it") }
            features[name] = isOn
        }
        files = try FileRestrictions(members)
        preContactForm = try PreContactForm(members)
        proactiveActions = try ProactiveAction.read(members)
        for (index, item) in (try members.array("persistentMenu") ?? []).enumerated() {
            let item = try Members(
                item, at: members.pointer.appending("persistentMenu").appending(index), known: ["id", "label", "postback"])
            guard let id = try item.string("id"), let label = try item.string("label") else {
                throw item.error("id", "an item of the menu needs its id and its label")
            }
            persistentMenu.append(["id": .string(id), "label": .string(label), "postback": .string(try item.string("postback") ?? label)])
        }
        more = try members.object("more") ?? [:]
        queue = try members.string("queue") ?? "6618c229-8d3f-4b1a-9c7e-2f5d4e6a7b8c"
        guard authorization != .securedCookie || securedSessions else {
            throw members.error("authorization", "a secured cookie needs secured sessions")
        }
    }

    var isRecoveryGentle: Bool { features[Self.gentleRecovery] ?? true }

    /// A channel for each chat mode.
    static func standard(for context: TenantContext) -> JSON {
        .array(
            Mode.allCases.map { mode in
                let id = Draw(seed: context.seed, "cxone channel", context.id, mode.rawValue).uuid
                return ["channelId": .string("chat_\(id)"), "name": .string("\(mode.rawValue) channel"), "mode": .string(mode.rawValue)]
            })
    }

    /// The channel as ConsumerAuthorized shows it (Web SDK 1.0.0, ts-types-chat, ChannelInfo.d.ts, BasicChannelInfo).
    var basics: JSON {
        [
            "availability": ["status": .string(availability.rawValue)],
            "settings": [
                "isLivechat": .bool(mode == .live), "hasMultipleThreadsPerCustomer": .bool(mode == .multi),
                "isAuthorizationEnabled": .bool(authorization == .oauth),
            ],
        ]
    }

    /// As clients read it (CXone reference 3.1).
    var json: JSON {
        var features: JSON = ["securedSessions": .bool(securedSessions)]
        for (name, isOn) in self.features.sorted(by: { $0.key < $1.key }) { features[name] = .bool(isOn) }
        let own: JSON = [
            "name": .string(name),
            "settings": [
                "hasMultipleThreadsPerEndUser": .bool(mode == .multi), "isProactiveChatEnabled": .bool(!proactiveActions.isEmpty),
                "liveChatAllowTranscript": .bool(transcript), "securedSessions": .bool(securedSessions), "fileRestrictions": files.json,
                "features": features,
            ],
            "isAuthorizationEnabled": .bool(authorization == .oauth), "isSecuredCookieEnabled": .bool(authorization == .securedCookie),
            "isLiveChat": .bool(mode == .live), "availability": ["status": .string(availability.rawValue)],
            "preContactForm": preContactForm?.json(channel: id) ?? .null, "translations": [:],
        ]
        return .object(more.merging(own.object ?? [:], uniquingKeysWith: { $1 }))
    }
}
