import GRDB
import SparringEngine
import SparringJSON
import SparringSandbox

/// Handlers of the tag "UserProfile" (LivePerson reference 5.14).
extension LivePerson {
    func setUserProfile(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        try ConversationState.setProfile(
            call.body?["body"] ?? [:], of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        return .answer(reply("user-profile-set", call))
    }

    /// What is shown are the engagement attributes that the profile carries.
    func getUserProfile(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let profile = try ConversationState.profile(
            of: session.consumer, account: call.tenant.id, sandbox: call.sandbox.id, db)
        let attributes = profile?["authenticatedData"]?["lp_sdes"]?.array ?? []
        return .answer(reply("user-profile-told", body: .array(attributes), call))
    }
}
