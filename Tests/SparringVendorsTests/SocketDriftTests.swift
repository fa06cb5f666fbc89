import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import Support
import Testing

/// What the contracts say of sockets and what the vendors do, over all vendors, all channels and all messages.
@Suite struct SocketDriftTests {
    private static let openers = ContractExamples.operations.filter(\.opensSocket).map(OperationRow.init)
    private static let messages = ContractExamples.operations.filter(\.isMessage).map(OperationRow.init)

    /// The operation that opens the socket on which a message is sent.
    private static func opener(of message: ContractOperation) throws -> ContractOperation {
        try #require(ContractExamples.channels.first { $0.received.contains(message) }?.openers.first)
    }

    /// What signs in on a channel: a consumer's token, or an agent's bearer.
    private func credential(for operation: ContractOperation, _ scene: MessagingScene) async throws -> String {
        try await operation.tag == "AgentConnection" ? scene.bearer() : scene.token("ada")
    }

    /// Opens a socket as the contract's example does, with a token or bearer that holds.
    private func open(
        _ operation: ContractOperation, _ token: String, _ scene: MessagingScene, account: String = "acme"
    ) async throws -> SocketClient {
        let path = operation.path(["accountId": account, "token": token, "bearer": token])
        let isInPath = operation.pathTemplate.hasSuffix("}")
        return try await SocketClient(
            port: scene.server.addresses.port, target: path, headers: isInPath ? [] : [("Authorization", "jwt \(token)")])
    }

    @Test(arguments: openers)
    func `a socket opens as the contract has it, and each refusal by name is what the client gets`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await MessagingScene.run { scene in
            let token = try await credential(for: operation, scene)
            #expect(try await open(operation, token, scene).isAlive())
            for declared in operation.answers.filter(\.isUnhappy) {
                try await scene.server.admin(.post, "faults", ["fault": .string("\(operation.qualifiedName) \(declared.name) times=1")])
                let refused = await #expect(throws: SocketClient.Refused.self) { try await open(operation, token, scene) }
                let answer = try #require(refused?.answer)
                let body = answer.body.isEmpty ? nil : try JSON(parsing: answer.body)
                #expect(answer.status == declared.status && body == declared.example, "\(declared.name): \(answer.text)")
            }
            let unknown = await #expect(throws: SocketClient.Refused.self) { try await open(operation, token, scene, account: "nobody") }
            #expect(unknown?.answer.status == 404)
            // A plain GET is no handshake.
            let target = operation.path(["accountId": "acme", "token": "x", "bearer": "x"])
            let plain = try await scene.server.send(.get, target)
            #expect(plain.status == 426 || plain.status == 400, "\(plain)")
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: messages)
    func `the contract's own message gets a declared reply with its id, and no finding`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await MessagingScene.run { scene in
            let opener = try Self.opener(of: operation)
            let token = try await credential(for: opener, scene)
            for example in operation.requestBody?.mediaTypes.first?.examples ?? [] {
                let socket = try await open(opener, token, scene)
                socket.send(example.value)
                guard case .message(let reply) = try await socket.next() else { Issue.record("no reply to \(example.name)"); continue }
                let id = example.value["id"].map { $0.string ?? $0.text }
                #expect(reply["kind"] == "resp" && reply["reqId"]?.string == id, "\(example.name): \(reply.text)")
                let entry = try #require(try await scene.server.journal("?operation=\(operation.qualifiedName)").last)
                let name = try #require(entry["answer"]?["name"]?.string, "\(example.name): \(entry.text)")
                #expect(entry["kind"] == "message" && entry["findings"] == nil, "\(example.name): \(entry.text)")
                #expect(name != "internal-error" && name != "request-malformed", "\(example.name): \(entry.text)")
                #expect(operation.answer(name)?.schema?.violations(in: reply).isEmpty == true, "\(example.name): \(reply.text)")
            }
            #expect(try await scene.server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: messages)
    func `every unhappy reply can be armed by its name and is what the client gets`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await MessagingScene.run { scene in
            let opener = try Self.opener(of: operation)
            let token = try await credential(for: opener, scene)
            let unhappy = operation.answers.filter(\.isUnhappy)
            #expect(unhappy.count >= 3)
            let example = try #require(operation.requestBody?.mediaTypes.first?.examples.first?.value)
            for declared in unhappy {
                try await scene.server.admin(.post, "faults", ["fault": .string("\(operation.qualifiedName) \(declared.name) times=1")])
                let socket = try await open(opener, token, scene)
                socket.send(example)
                guard case .message(var reply) = try await socket.next() else { Issue.record("no reply: \(declared.name)"); continue }
                reply["reqId"] = declared.example?["reqId"]
                #expect(reply == declared.example, "\(declared.name)")
            }
        }
    }
}

extension ContractOperation {
    var opensSocket: Bool { answers.contains { $0.status == 101 } }
}
