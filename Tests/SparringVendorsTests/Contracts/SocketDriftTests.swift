import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import Support
import Testing

/// The contracts' statements about sockets against the vendors' behaviour, over all vendors, all channels and all messages.
@Suite struct SocketDriftTests {
    private static let openers = ContractExamples.operations.filter(\.opensSocket).map(OperationRow.init)
    private static let messages = ContractExamples.operations.filter(\.isMessage).map(OperationRow.init)

    /// The operation that opens the socket on which a message is sent.
    private static func opener(of message: ContractOperation) throws -> ContractOperation {
        try #require(ContractExamples.channels.first { $0.received.contains(message) }?.openers.first)
    }

    @Test(arguments: openers)
    func `a socket opens as the contract says, and each refusal by name is what the client gets`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await SocketHost.run(for: operation) { host in
            #expect(try await host.open(operation, operation.tag, nil).isAlive())
            for declared in operation.answers.filter(\.isUnhappy) {
                try await host.server.arm("\(operation.qualifiedName) \(declared.name) times=1")
                let refused = await #expect(throws: SocketClient.Refused.self) { try await host.open(operation, operation.tag, nil) }
                let answer = try #require(refused?.answer)
                let body = answer.body.isEmpty ? nil : try JSON(parsing: answer.body)
                #expect(answer.status == declared.status && body == declared.example, "\(declared.name): \(answer.text)")
            }
            let unknown = await #expect(throws: SocketClient.Refused.self) { try await host.open(operation, operation.tag, "nobody") }
            #expect(unknown?.answer.status == 404)
            // A plain GET is no handshake; at `/` Sparring has a page of its own.
            let target = host.target(operation)
            let plain = try await host.server.send(.get, target)
            #expect(target.hasPrefix("/?") ? plain.status == 200 : plain.status == 426 || plain.status == 400, "\(plain)")
            #expect(try await host.server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: messages)
    func `the contract's own message gets a declared reply with its id, and no finding`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await SocketHost.run(for: operation) { host in
            let opener = try Self.opener(of: operation)
            for example in operation.requestBody?.mediaTypes.first?.examples ?? [] {
                let socket = try await host.open(opener, operation.tag, nil)
                socket.send(example.value)
                guard case .message(let reply) = try await socket.next() else { Issue.record("no reply to \(example.name)"); continue }
                let id = example.value[host.id.request].map { $0.string ?? $0.text }
                #expect(reply[host.id.answer]?.string == id, "\(example.name): \(reply.text)")
                let entry = try #require(try await host.server.journal("?operation=\(operation.qualifiedName)").last)
                let name = try #require(entry["answer"]?["name"]?.string, "\(example.name): \(entry.text)")
                #expect(entry["kind"] == "message" && entry["findings"] == nil, "\(example.name): \(entry.text)")
                #expect(
                    name != "internal-error" && name != "request-malformed" && name != "gateway-error", "\(example.name): \(entry.text)")
                #expect(operation.answer(name)?.schema?.violations(in: reply).isEmpty == true, "\(example.name): \(reply.text)")
            }
            #expect(try await host.server.journal("?kind=finding") == [])
        }
    }

    @Test(arguments: messages)
    func `every unhappy reply can be armed by its name and is what the client gets`(_ row: OperationRow) async throws {
        let operation = row.operation
        try await SocketHost.run(for: operation) { host in
            let opener = try Self.opener(of: operation)
            let unhappy = operation.answers.filter(\.isUnhappy)
            // A heartbeat reaches nobody who could say no, and a session is known or not.
            #expect(unhappy.count >= (["Heartbeat", "Bayeux"].contains(operation.tag) ? 1 : 3))
            let example = try #require(operation.requestBody?.mediaTypes.first?.examples.first?.value)
            for declared in unhappy {
                try await host.server.arm("\(operation.qualifiedName) \(declared.name) times=1")
                let socket = try await host.open(opener, operation.tag, nil)
                socket.send(example)
                guard case .message(var reply) = try await socket.next() else { Issue.record("no reply: \(declared.name)"); continue }
                if let id = declared.example?[host.id.answer] { reply[host.id.answer] = id }
                #expect(reply == declared.example, "\(declared.name)")
            }
        }
    }
}

extension ContractOperation {
    var opensSocket: Bool { answers.contains { $0.status == 101 } }
}
