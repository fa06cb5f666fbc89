import SparringVendorKit

extension CXone {
    /// One channel of a brand: the brand's member `channels`.
    struct Channel: Decodable, Sendable {
        enum Mode: String, CaseIterable, Decodable {
            case single, multi, live
        }

        enum Availability: String, Decodable {
            case online, offline
        }

        enum Authorization: String, Decodable {
            case anonymous, oauth, securedCookie
        }

        struct MenuItem: Decodable {
            var id: String
            var label: String
            /// The postback that choosing the item sends; nil: the label.
            var postback: String?

            /// The item as the Web SDK reads it.
            var json: JSON { ["id": .string(id), "label": .string(label), "postback": .string(postback ?? label)] }
        }

        var id: String
        private var givenName: String?
        var mode: Mode
        var availability: Availability
        var authorization: Authorization
        /// Whether customers are signed in by the token service, before the socket is opened.
        var securedSessions: Bool
        /// Whether a live chat's transcript may be mailed.
        var transcript: Bool
        /// Whether agents come without what identifies them (CXone reference 7.5).
        var hidesPersonalInformation: Bool
        /// The features by name, besides `securedSessions`.
        var features: [String: Bool]
        var files: FileRestrictions
        var preContactForm: PreContactForm?
        var proactiveActions: [ProactiveAction]
        var persistentMenu: [MenuItem]
        /// The queue in which live chats wait.
        var queue: String
        /// The other members of the configuration, such as `colors`: apps may read what no SDK does.
        private var more: JSON

        private enum CodingKeys: String, CodingKey {
            case id = "channelId", givenName = "name", mode, availability, authorization, securedSessions, transcript,
                hidesPersonalInformation
            case features, files = "fileRestrictions", preContactForm, proactiveActions, persistentMenu, queue, more
        }

        var name: String { givenName ?? id }

        /// Whether the recovery of a live chat that is not there is an answer without data, and no failure (CXone reference 6.1 and 9.4).
        var isRecoveryGentle: Bool { features["isRecoverLivechatDoesNotFailEnabled"] == true }

        func check(at pointer: JSONPointer) throws(ConfigurationError) {
            guard authorization != .securedCookie || securedSessions else {
                throw ConfigurationError(pointer.appending("authorization"), "a secured cookie needs secured sessions")
            }
            guard features["securedSessions"] == nil else {
                throw ConfigurationError(
                    pointer.appending("features").appending("securedSessions"), "the channel's own member securedSessions says it")
            }
            let form = pointer.appending("preContactForm").appending("customFields")
            for (index, field) in (preContactForm?.fields ?? []).enumerated() {
                try field.definition.check(at: form.appending(index).appending("definition"))
            }
            for (index, action) in proactiveActions.enumerated() where action.event == .trigger && action.matching == nil {
                throw ConfigurationError(
                    pointer.appending("proactiveActions").appending(index).appending("matching"), "which trigger is missing: its id")
            }
        }

        /// A channel for each chat mode.
        static func standard(for context: TenantContext) -> JSON {
            .array(
                Mode.allCases.map { mode in
                    let id = Draw(seed: context.seed, "cxone channel", context.id, mode.rawValue).uuid
                    return [
                        "channelId": .string("chat_\(id)"), "name": .string("\(mode.rawValue) channel"), "mode": .string(mode.rawValue),
                    ]
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

        /// The channel as clients read it (CXone reference 3.1).
        var json: JSON {
            var features: JSON = ["securedSessions": .bool(securedSessions)]
            for (name, isOn) in self.features.sorted(by: { $0.key < $1.key }) { features[name] = .bool(isOn) }
            let own: JSON = [
                "name": .string(name),
                "settings": [
                    "hasMultipleThreadsPerEndUser": .bool(mode == .multi), "isProactiveChatEnabled": .bool(!proactiveActions.isEmpty),
                    "liveChatAllowTranscript": .bool(transcript), "securedSessions": .bool(securedSessions),
                    "fileRestrictions": files.json, "features": features,
                ],
                "isAuthorizationEnabled": .bool(authorization == .oauth), "isSecuredCookieEnabled": .bool(authorization == .securedCookie),
                "isLiveChat": .bool(mode == .live), "availability": ["status": .string(availability.rawValue)],
                "preContactForm": preContactForm?.json(channel: id) ?? .null, "translations": [:],
            ]
            return own.filled(more.object ?? [:])
        }
    }
}
