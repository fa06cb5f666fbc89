import HTTPTypes
import SparringContract
import SparringJSON
import SparringTokens
import Support
import Testing

@testable import LivePersonVendor

/// How an open conversation is shown in place of an engagement (LivePerson reference 9.1).
@Suite struct MonitoringConversationTests {
    private func detail(_ conversation: LivePerson.OpenConversation, _ campaigns: JSON) throws -> JSON {
        let contract = try #require(try Contract.load(directory: Repository.folder("contracts")).first { $0.vendor == "liveperson" })
        let liveperson = LivePerson(keys: Brand.pool, contract: contract)
        let tenant = try #require(contract.tenant)
        let settings = try liveperson.settings(
            LivePerson.Agent.identified(in: try tenant.completed(["accountId": "1", "campaigns": campaigns, "appInstallations": []])))
        let detail = liveperson.detail(of: conversation, settings)
        let operation = try #require(contract.operations.first { $0.id == "fetchEngagement" })
        let body: JSON = ["sessionId": "s", "visitorId": "v", "pageId": "1", "engagementDetails": [detail]]
        #expect(operation.checkAnswer(name: "session-known", status: 200, headers: [:], body: body).isEmpty)
        return detail
    }

    private let campaigns: JSON = [["id": 10, "engagements": [["id": 11], ["id": 12, "revision": 3, "language": "de-DE"]]]]

    @Test func `it has the engagement where it began`() throws {
        #expect(
            try detail(.init(id: "c-1", campaign: "10", engagement: "12"), campaigns) == [
                "campaignId": 10, "engagementId": 12, "engagementRevision": 3, "connectorId": 770_001, "windowId": "w1",
                "language": "de-DE", "conversationId": "c-1", "status": "conversation",
            ])
    }

    @Test(arguments: [(nil, nil), ("10", nil), ("10", "99"), ("x", "12"), ("99", "12")] as [(String?, String?)])
    func `it has the account's first where that is not known`(_ campaign: String?, _ engagement: String?) throws {
        let detail = try detail(.init(id: "c-1", campaign: campaign, engagement: engagement), campaigns)
        #expect(detail["engagementId"] == 11 && detail["conversationId"] == "c-1" && detail["contextId"] == nil)
    }

    @Test func `it is shown also by an account without engagements`() throws {
        #expect(
            try detail(.init(id: "c-1", campaign: "10", engagement: "12"), []) == [
                "campaignId": 10, "engagementId": 12, "engagementRevision": 0, "connectorId": 770_001, "conversationId": "c-1",
                "status": "conversation",
            ])
    }
}
