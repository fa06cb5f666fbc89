import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import Support

/// Another Sparring that stands for a vendor which differs in twenty ways from its contract and from Sparring.
enum PlantedVendor {
    struct Way {
        /// In words.
        let what: String
        let script: String
        /// Nil: it is planted by ``overlays`` or ``settings``.
        var fault: String?
        /// `meaning operation place`.
        let found: [String]
    }

    private static func answer(_ status: Int, _ body: String) -> String {
        "status code=\(status) type=application/json body=\(JSON.string(body).text) times=1 phase=onResponseStart"
    }

    static let ways: [Way] = [
        Way(
            what: "a path", script: "liveperson/ios-deep-linking",
            found: ["vendor-ahead liveperson.readAppleAppSiteAssociation answer status"]),
        Way(
            what: "a lifetime", script: "liveperson/push-token-changes",
            found: ["sparring-wrong liveperson.authenticateV2 answer body.jwt claims.exp"]),
        Way(
            what: "a member's name", script: "liveperson/push-token-changes",
            fault: "liveperson.readPushStatus \(answer(200, #"{"isRegistered":false}"#))",
            found: [
                "vendor-ahead liveperson.readPushStatus answer body.isRegistered",
                "vendor-ahead liveperson.readPushStatus answer body.registered",
            ]),
        Way(
            what: "an empty body", script: "liveperson/push-token-changes", fault: "liveperson.registerPush empty-body skip=1 times=1",
            found: ["vendor-ahead liveperson.registerPush answer body"]),
        Way(
            what: "an error's code", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(500, #"{"internalErrorCode":"9008"}"#))",
            found: ["sparring-wrong liveperson.authenticateV2 answer body.internalErrorCode"]),
        Way(
            what: "an error's status", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(400, #"{"internalErrorCode":"mock-claim-missing"}"#)) skip=1",
            found: ["vendor-ahead liveperson.authenticateV2 answer status"]),
        Way(
            what: "an error's form", script: "liveperson/android-authentication-failures",
            fault: "liveperson.authenticateV2 \(answer(500, #"{"errors":[{"code":"used"}]}"#)) skip=3",
            found: [
                "vendor-ahead liveperson.authenticateV2 answer body.errors",
                "vendor-ahead liveperson.authenticateV2 answer body.internalErrorCode",
            ]),
        Way(
            what: "a close code", script: "liveperson/ios-token-expires-during-a-conversation",
            found: ["sparring-wrong liveperson.openConsumerSocket socket"]),
        Way(
            what: "an error's header", script: "liveperson/push-registration-without-credentials",
            fault: "liveperson.registerPush \(answer(401, #"{"error":"token_invalid"}"#))",
            found: ["vendor-ahead liveperson.registerPush answer header www-authenticate"]),
        Way(
            what: "the order of notifications", script: "liveperson/ios-user-clicks-messaging-button",
            found: ["sparring-wrong liveperson.conversationsChanged message"]),
        Way(
            what: "a notification that comes twice", script: "liveperson/ios-user-clicks-messaging-button",
            found: ["sparring-wrong liveperson.eventsPublished message"]),
        Way(
            what: "a member of a notification", script: "liveperson/ios-user-clicks-messaging-button",
            found: [
                "vendor-ahead liveperson.conversationsChanged message.body.changes[*].result.timeToRespond",
                "sparring-wrong liveperson.conversationsChanged message.body.changes[*].result.effectiveTTR",
            ]),
        Way(
            what: "a status", script: "talkdesk/ios-authorization",
            fault: "talkdesk.endInteraction status code=202 times=1 phase=onResponseStart",
            found: ["vendor-ahead talkdesk.endInteraction answer status"]),
        Way(
            what: "a null", script: "talkdesk/ios-authorization", fault: "talkdesk.sendToInteraction \(answer(201, #"{"id":null}"#))",
            found: ["vendor-ahead talkdesk.sendToInteraction answer body.id"]),
        Way(
            what: "a content type", script: "talkdesk/ios-authorization",
            fault: "talkdesk.fetchAccess wrong-content-type type=application/jwt times=1",
            found: ["vendor-ahead talkdesk.fetchAccess answer header content-type"]),
        Way(
            what: "a further member", script: "asapp/ios-push",
            fault: "asapp.sendMessage \(answer(201, #"{"id":"m-02a2408c09bb","sequence":7}"#))",
            found: ["vendor-ahead asapp.sendMessage answer body.sequence"]),
        Way(
            what: "a type", script: "asapp/ios-push",
            found: ["vendor-ahead asapp.readStatus answer body.unreadMessages"]),
        Way(
            what: "a member that is left out", script: "asapp/ios-push",
            found: ["vendor-ahead asapp.startSession answer body.anonymous"]),
        Way(
            what: "a further header", script: "asapp/ios-push",
            fault: "asapp.deregisterPushToken status code=204 retry-after=5s times=1 phase=onResponseStart",
            found: ["sparring-wrong asapp.deregisterPushToken answer header retry-after"]),
        Way(
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

    static let overlays = Result {
        try [calls, messages, asapp].map {
            try Overlay(parsing: "overlay: 1.1.0\ninfo: { title: Another, version: '1' }\n\($0)", file: "planted.yaml")
        }
    }

    private static let calls = """
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
        extends: liveperson.asyncapi.yaml
        actions:
          - target: $.components.schemas.Conversation.properties.effectiveTTR
            remove: true
          - target: $.components.schemas.Conversation.properties
            update: { timeToRespond: { type: integer, minimum: -1, maximum: 253402300799999, x-stands-for: effectiveTTR } }
          - target: $.operations.conversationsChanged
            update: { x-rewrite: { after: eventsPublished } }
          - target: $.operations.eventsPublished
            update: { x-rewrite: { times: 2 } }
          - target: $.channels.consumer
            update: { x-rewrite: { close: { '4401': 4407 } } }
        """

    private static let asapp = """
        extends: asapp.openapi.yaml
        actions:
          - target: $.components.schemas.Status.properties.unreadMessages.type
            remove: true
          - target: $.paths['/chat/v1/status'].get
            update: { x-rewrite: { status-told: { body: [{ target: $.unreadMessages, type: string }] } } }
          - target: $.components.schemas.Session.required[?@ == 'anonymous']
            remove: true
          - target: $.paths['/chat/v1/session'].post
            update: { x-rewrite: { session-started: { body: [{ target: $.anonymous, remove: true }] } } }
        """

    /// The scripts in which it differs.
    static func scripts() throws -> [ProbeScript] {
        let scripts = try Set(ways.map(\.script)).sorted().map { try ProbeStage.script($0) }
        return scripts.map { $0.with(tenants(of: scripts)) }
    }

    /// The settings of the sandboxes in which scripts are played.
    static func tenants(of scripts: [ProbeScript]) -> JSON.Object {
        scripts.reduce(JSON.object([:])) { $0.merging(.object($1.tenants)) }.object ?? [:]
    }

    static var faults: [String: [String]] {
        ways.reduce(into: [:]) { faults, way in if let fault = way.fault { faults[way.script, default: []].append(fault) } }
    }

    /// Plays something at it.
    static func run<Value>(_ tenants: JSON.Object, _ body: @Sendable (TestServer) async throws -> Value) async throws -> Value {
        var theirs = JSON.object(tenants)
        theirs["liveperson"]?["tokenLifetime"] = "30m"
        let overlays = try overlays.get()
        return try await TestServer.run(
            .socket, clock: nil, tenants: theirs.object ?? [:], configure: { $0.overlays = overlays }, body)
    }
}
