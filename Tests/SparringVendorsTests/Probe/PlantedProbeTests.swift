import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import Support
import Testing

/// A vendor that differs from Sparring in ways that are known.
@Suite struct PlantedProbeTests {
    private struct Planted {
        /// In words.
        let what: String
        let script: String
        /// Nil: it is planted by ``overlay`` or ``settings``.
        var fault: String?
        /// `meaning operation place`.
        let found: [String]
    }

    private static func answer(_ status: Int, _ body: String) -> String {
        "status code=\(status) type=application/json body=\(JSON.string(body).text) times=1 phase=onResponseStart"
    }

    private static let planted: [Planted] = [
        Planted(
            what: "a path", script: "liveperson/ios-deep-linking",
            found: ["vendor-ahead liveperson.readAppleAppSiteAssociation answer status"]),
        Planted(
            what: "a lifetime", script: "liveperson/push-token-changes",
            found: ["sparring-wrong liveperson.authenticateV2 answer body.jwt claims.exp"]),
        Planted(
            what: "a member's name", script: "liveperson/push-token-changes",
            fault: "liveperson.readPushStatus \(answer(200, #"{"isRegistered":false}"#))",
            found: [
                "vendor-ahead liveperson.readPushStatus answer body.isRegistered",
                "vendor-ahead liveperson.readPushStatus answer body.registered",
            ]),
        Planted(
            what: "an empty body", script: "liveperson/push-token-changes", fault: "liveperson.registerPush empty-body skip=1 times=1",
            found: ["vendor-ahead liveperson.registerPush answer body"]),
        Planted(
            what: "an error's code", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(500, #"{"internalErrorCode":"9008"}"#))",
            found: ["sparring-wrong liveperson.authenticateV2 answer body.internalErrorCode"]),
        Planted(
            what: "an error's status", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(400, #"{"internalErrorCode":"mock-claim-missing"}"#)) skip=1",
            found: ["vendor-ahead liveperson.authenticateV2 answer status"]),
        Planted(
            what: "an error's form", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(500, #"{"errors":[{"code":"used"}]}"#)) skip=3",
            found: [
                "vendor-ahead liveperson.authenticateV2 answer body.errors",
                "vendor-ahead liveperson.authenticateV2 answer body.internalErrorCode",
            ]),
        Planted(
            what: "a close code", script: "liveperson/android-authentication-failures",
            fault: "liveperson.openConsumerSocket close code=4407 phase=onResponseEnd",
            found: ["sparring-wrong liveperson.openConsumerSocket socket"]),
        Planted(
            what: "an error's header", script: "liveperson/push-registration-without-credentials",
            fault: "liveperson.registerPush \(answer(401, #"{"error":"token_invalid"}"#))",
            found: ["vendor-ahead liveperson.registerPush answer header www-authenticate"]),
        Planted(
            what: "the order of notifications", script: "liveperson/ios-user-clicks-messaging-button",
            fault: "liveperson.conversationsChanged reorder skip=1 times=1",
            found: ["sparring-wrong liveperson.conversationsChanged message"]),
        Planted(
            what: "a notification that comes twice", script: "liveperson/ios-user-clicks-messaging-button",
            fault: "liveperson.eventsPublished duplicate times=1", found: ["sparring-wrong liveperson.eventsPublished message"]),
        Planted(
            what: "a member of a notification", script: "liveperson/ios-user-clicks-messaging-button",
            found: [
                "vendor-ahead liveperson.conversationsChanged message.body.changes[*].result.timeToRespond",
                "sparring-wrong liveperson.conversationsChanged message.body.changes[*].result.effectiveTTR",
            ]),
        Planted(
            what: "a status", script: "talkdesk/ios-authorization",
            fault: "talkdesk.endInteraction status code=202 times=1 phase=onResponseStart",
            found: ["vendor-ahead talkdesk.endInteraction answer status"]),
        Planted(
            what: "a null", script: "talkdesk/ios-authorization", fault: "talkdesk.sendToInteraction \(answer(201, #"{"id":null}"#))",
            found: ["vendor-ahead talkdesk.sendToInteraction answer body.id"]),
        Planted(
            what: "a content type", script: "talkdesk/ios-authorization",
            fault: "talkdesk.fetchAccess wrong-content-type type=application/jwt times=1",
            found: ["vendor-ahead talkdesk.fetchAccess answer header content-type"]),
        Planted(
            what: "a further member", script: "asapp/ios-push",
            fault: "asapp.sendMessage \(answer(201, #"{"id":"m-02a2408c09bb","sequence":7}"#))",
            found: ["vendor-ahead asapp.sendMessage answer body.sequence"]),
        Planted(
            what: "a type", script: "asapp/ios-push",
            fault: "asapp.readStatus \(answer(200, #"{"unreadMessages":"0","isLiveChat":false}"#))",
            found: ["vendor-ahead asapp.readStatus answer body.unreadMessages"]),
        Planted(
            what: "a member that is left out", script: "asapp/ios-push",
            fault: "asapp.readStatus \(answer(200, #"{"unreadMessages":1}"#)) skip=1",
            found: ["vendor-ahead asapp.readStatus answer body.isLiveChat"]),
        Planted(
            what: "a further header", script: "asapp/ios-push",
            fault: "asapp.deregisterPushToken status code=204 retry-after=5s times=1 phase=onResponseStart",
            found: ["sparring-wrong asapp.deregisterPushToken answer header retry-after"]),
        Planted(
            what: "an enumerator", script: "khoros/ios-conversation",
            fault:
                "khoros.readConfig \(answer(200, config))",
            found: ["vendor-ahead khoros.readConfig answer body.config.app.status"]),
    ]

    private static let config =
        #"{"config":{"app":{"_id":"5f0c0e1a2b3c4d5e6f708190","status":"frozen","name":"Demo","settings":{"multiConvoEnabled":true}},"#
        + #""baseUrl":{"ios":"http://127.0.0.1/","android":"http://127.0.0.1/","web":"http://127.0.0.1/sdk/"},"#
        + #""restRetryPolicy":{"intervals":{"regular":60,"aggressive":15},"backoffMultiplier":2,"maxRetries":5},"#
        + #""integration":{"_id":"5f0c0e1a2b3c4d5e6f708191","canUserCreateMoreConversations":true,"canUserSeeConversationList":true},"#
        + #""integrations":[{"type":"apn"},{"type":"fcm","senderId":"1"}]}}"#

    private static let overlay = """
        overlay: 1.1.0
        info: { title: Another vendor, version: '1' }
        extends: liveperson.openapi.yaml
        actions:
          - target: $.paths
            update: { '/v2/.well-known/apple-app-site-association': {} }
          - target: $.paths['/v2/.well-known/apple-app-site-association']
            copy: $.paths['/.well-known/apple-app-site-association']
          - target: $.paths['/.well-known/apple-app-site-association']
            remove: true
        """

    private static let messages = """
        overlay: 1.1.0
        info: { title: Another vendor, version: '1' }
        extends: liveperson.asyncapi.yaml
        actions:
          - target: $.components.schemas.Conversation.properties.effectiveTTR
            remove: true
          - target: $.components.schemas.Conversation.properties
            update: { timeToRespond: { type: integer, minimum: -1, maximum: 253402300799999, x-stands-for: effectiveTTR } }
        """

    @Test func `twenty ways are named, and nothing else`() async throws {
        let names = Set(Self.planted.map(\.script)).sorted()
        var scripts = try names.map { try ProbeStage.script($0) }
        let settings = scripts.reduce(JSON.object([:])) { $0.merging(.object($1.tenants)) }
        scripts = scripts.map { $0.with(settings.object ?? [:]) }
        var theirs = settings
        theirs["liveperson"]?["tokenLifetime"] = "30m"
        var stage = try ProbeStage()
        for planted in Self.planted { if let fault = planted.fault { stage.faults[planted.script, default: []].append(fault) } }
        let overlays = try [Self.overlay, Self.messages].map { try Overlay(parsing: $0, file: "planted.yaml") }
        let report = try await TestServer.run(
            .socket, clock: nil, tenants: theirs.object ?? [:], configure: { $0.overlays = overlays }
        ) { [stage, scripts] in
            try await stage.probe(scripts, at: $0)
        }
        let found = Set(
            report.findings.filter { $0.meaning != .faithful }.map { "\($0.meaning.rawValue) \($0.operation) \($0.place ?? "")" })
        #expect(Self.planted.count == 20 && found == Set(Self.planted.flatMap(\.found)), "\(found.sorted().joined(separator: "\n"))")
        #expect(report.noise.isEmpty && report.exitStatus == 1, "\(report.noise)")
    }
}
