import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import Support

/// How a vendor's sockets are opened and answer, for tests that go over all contracts.
struct SocketHost: Sendable {
    let server: TestServer
    /// Opens a socket as the contract's example does, with what signs in there. A message of the tag given is to follow.
    ///
    /// - Parameter tenant: in place of the one that there is.
    let open: @Sendable (_ opener: ContractOperation, _ tag: String, _ tenant: String?) async throws -> SocketClient
    /// The path of an opener.
    let target: @Sendable (_ opener: ContractOperation) -> String
    /// The member of an answer that is the request's id, and of the request.
    let id: (answer: String, request: String)

    static func run(for operation: ContractOperation, _ body: (SocketHost) async throws -> Void) async throws {
        switch operation.vendor {
        case "cxone": try await chat(body)
        case "khoros": try await bayeux(body)
        case "asapp": try await company(body)
        default: try await messaging(operation, body)
        }
    }

    private static func messaging(_ operation: ContractOperation, _ body: (SocketHost) async throws -> Void) async throws {
        try await MessagingScene.run { scene in
            @Sendable func target(_ opener: ContractOperation, _ tenant: String, _ token: String) -> String {
                opener.path(["accountId": tenant, "token": token, "bearer": token])
            }
            // A consumer's token, or an agent's bearer, whatever is opened.
            let (token, bearer) = (try await scene.token("ada"), try await scene.bearer())
            let host = SocketHost(
                server: scene.server,
                open: { opener, _, tenant in
                    let credential = opener.tag == "AgentConnection" ? bearer : token
                    let isInPath = opener.pathTemplate.hasSuffix("}")
                    return try await SocketClient(
                        port: scene.server.addresses.port, target: target(opener, tenant ?? "acme", credential),
                        headers: isInPath ? [] : [("Authorization", "jwt \(credential)")])
                }, target: { target($0, "acme", "x") }, id: ("reqId", "id"))
            try await body(host)
        }
    }

    private static func bayeux(_ body: (SocketHost) async throws -> Void) async throws {
        try await TestServer.run(tenants: MessengerScene.tenants()) { server in
            @Sendable func target(_ tenant: String) -> String { "/faye/\(tenant)" }
            let host = SocketHost(
                server: server,
                open: { _, _, tenant in
                    try await SocketClient(port: server.addresses.port, target: target(tenant ?? MessengerScene.app))
                }, target: { _ in target(MessengerScene.app) }, id: ("id", "id"))
            try await body(host)
        }
    }

    private static func company(_ body: (SocketHost) async throws -> Void) async throws {
        try await CompanyScene.run([:], .socket) { scene in
            let person = try await scene.person("ann")
            let host = SocketHost(
                server: scene.server,
                open: { _, _, tenant in
                    let url = try await person.socketURL()
                    return try await scene.socket(tenant.map { url.replacing("=acme", with: "=\($0)") } ?? url)
                }, target: { _ in "/chat/v1/socket?asapp-api-id=acme&token=x" }, id: ("id", "id"))
            try await body(host)
        }
    }

    /// The tags of messages that do not need a customer.
    private static let unsigned = ["Heartbeat", "Authorization", "Gateway"]

    private static func chat(_ body: (SocketHost) async throws -> Void) async throws {
        let channel = "chat_51eafb4e-8829-4efe-b58c-3bc9febf18c4"
        let brand: JSON = ["brandId": "1386", "channels": [["channelId": .string(channel), "mode": "live"]]]
        try await TestServer.run(tenants: ["cxone": brand]) { server in
            @Sendable func target(_ tenant: String) -> String { "/?brandId=\(tenant)&channelId=\(channel)&visitorId=v-1" }
            let host = SocketHost(
                server: server,
                open: { _, tag, tenant in
                    let socket = try await SocketClient(port: server.addresses.port, target: target(tenant ?? "1386"))
                    if unsigned.contains(tag) { return socket }
                    let data: JSON = ["disableChannelInfo": true, "sdkPlatform": "ios", "sdkVersion": "3.3.1"]
                    let chatter = Chatter(socket: socket, mode: .live, name: "cust-1", channel: channel)
                    _ = try await chatter.send("AuthorizeCustomer", data, action: "register")
                    return socket
                }, target: { _ in target("1386") }, id: ("eventId", "eventId"))
            try await body(host)
        }
    }
}
