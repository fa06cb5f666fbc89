import SparringVendorKit

/// A conversation as clients are shown it (LivePerson reference 5.9).
extension Conversation {
    /// `changes[].result` of an ExConversationChangeNotification. Every change carries the complete current state.
    var view: JSON {
        // Once there is a survey, its participants (the survey tutorial).
        let current = dialogs.last?.participants ?? []
        let details: JSON = .members([
            "skillId": .string(skill), "brandId": .string(account),
            "participants": .array(current.map { Self.view($0) }),
            // The older form beside the newer one: unknown members are ignored (LivePerson reference 5.9).
            "participantsPId": Self.byRole(current),
            "dialogs": .array(dialogs.map { Self.view($0) }), "state": .string(state), "stage": .string(stage),
            "startTs": .integer(started.milliseconds), "endTs": ended.map { .integer($0.milliseconds) },
            "metaDataLastUpdateTs": .integer(updated.milliseconds), "firstConversation": .bool(isFirst),
            "closeReason": closeReason.map { .string($0) }, "ttr": ttr, "context": context, "csat": csat,
            "manualETTR": manualETTR.map { .integer($0.milliseconds) },
            "campaignInfo": campaign.map { campaign in
                .members(["campaignId": .string(campaign), "engagementId": engagement.map { .string($0) }])
            },
        ])
        return [
            "convId": .string(id), "effectiveTTR": .integer(effectiveTTR), "conversationDetails": details,
            "lastUpdateTime": .integer(updated.milliseconds),
        ]
    }

    /// When the next answer is due, in milliseconds since 1970; -1: not set. Only the agent's time counts here: how LivePerson computes it from
    /// `ttr`, and when an answer has met it, is not public.
    private var effectiveTTR: Int64 { state == "OPEN" ? manualETTR?.milliseconds ?? -1 : -1 }

    static func view(_ participant: Participant) -> JSON { ["id": .string(participant.id), "role": .string(participant.role)] }

    static func byRole(_ participants: [Participant]) -> JSON {
        var roles: JSON = [:]
        for participant in participants {
            roles[participant.role] = .array((roles[participant.role]?.array ?? []) + [.string(participant.id)])
        }
        return roles
    }

    private static func view(_ dialog: Dialog) -> JSON {
        .members([
            "dialogId": .string(dialog.id), "dialogType": .string(dialog.type), "channelType": "MESSAGING", "state": .string(dialog.state),
            "participantsDetails": .array(dialog.participants.map { ["id": .string($0.id), "role": .string($0.role), "state": "ACTIVE"] }),
            "creationTs": .integer(dialog.started.milliseconds), "endTs": dialog.ended.map { .integer($0.milliseconds) },
            "metaDataLastUpdateTs": .integer((dialog.ended ?? dialog.started).milliseconds),
            "closedBy": dialog.closedBy.map { .string($0) }, "closedCause": dialog.closedCause.map { .string($0) },
            "metaData": dialog.surveyor.map { ["appInstallId": .string($0)] },
        ])
    }
}
