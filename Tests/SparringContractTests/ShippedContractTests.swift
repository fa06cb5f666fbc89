import Foundation
import SparringContract
import SparringJSON
import Testing

/// The contracts that Sparring ships are sound, and their sockets say what they should.
struct ShippedContractTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "contracts").path

    private func messages() throws -> Contract {
        try #require(try Contract.load(directory: Self.folder).first { $0.vendor == "liveperson" })
    }

    @Test func `The contracts load, and every channel has messages both ways`() throws {
        let contract = try messages()
        #expect(contract.channels.map(\.name) == ["consumer", "agent"])
        #expect(
            contract.channels.map { $0.openers.map(\.id) } == [["openConsumerSocket", "openConsumerSocketByToken"], ["openAgentSocket"]])
        #expect(contract.channels.map(\.received.count) == [19, 21])
        #expect(contract.channels.map(\.sent.count) == [2, 5])
        #expect(throws: Never.self) { try Routes(Contract.load(directory: Self.folder)) }
    }

    @Test func `Every vendor's own hosts are known, and no host is two vendors'`() throws {
        let contracts = try Contract.load(directory: Self.folder).filter { $0.vendor != "admin" && $0.vendor != "identity" }
        let samples = contracts.map { ($0.vendor, $0.vendorHosts.map { "\($0)".replacing("*", with: "x.example") }) }
        for (vendor, hosts) in samples {
            #expect(!hosts.isEmpty, "\(vendor)")
            for host in hosts {
                let owners = contracts.filter { $0.vendorHosts.contains { $0.matches(host: host) } }.map(\.vendor)
                #expect(owners == [vendor], "\(host)")
            }
        }
    }

    @Test func `Every example of a received message is matched to its operation`() throws {
        for channel in try messages().channels {
            for operation in channel.received {
                for example in operation.requestBody?.mediaTypes.flatMap(\.examples) ?? [] {
                    guard case .found(let found) = channel.match(example.value) else {
                        Issue.record("\(operation.id) \(example.name) is not matched")
                        continue
                    }
                    #expect(found == operation, "\(example.name)")
                }
            }
        }
    }

    @Test func `Every received message has a happy answer and refusals, all of them string responses`() throws {
        for operation in try messages().channels.flatMap(\.received) {
            #expect(operation.answers.count { !$0.isUnhappy } == 1, "\(operation.id)")
            #expect(operation.answer("request-malformed")?.status == 400, "\(operation.id)")
            for answer in operation.answers {
                #expect(answer.example?["code"] == answer.status.map { .integer(Int64($0)) }, "\(operation.id) \(answer.name)")
                #expect(!answer.isUnhappy || answer.example?["type"] == ".ReqBody$StringResp", "\(operation.id) \(answer.name)")
            }
        }
    }

    @Test(
        arguments: [
            ("consumer", #"{"id":1,"type":"GetClock"}"#, "getClock"),
            ("consumer", #"{"id":"1","type":".GetClock"}"#, "? getClock"),
            ("agent", #"{"kind":"req","id":"1","type":".GetClock","body":{}}"#, "agentGetClock"),
            (
                "consumer", #"{"id":"1","type":"ms.PublishEvent","body":{"dialogId":"d","event":{"type":"ChatStateEvent"}}}"#,
                "publishChatState"
            ),
            (
                "consumer", #"{"id":"1","type":"ms.PublishEvent","body":{"event":{"type":"ContentEvent","contentType":"text/plain"}}}"#,
                "publishText"
            ),
            (
                "consumer", #"{"id":"1","type":"ms.PublishEvent","body":{"event":{"type":"ContentEvent","contentType":"hosted/file"}}}"#,
                "publishFile"
            ),
            (
                "consumer", #"{"id":"1","type":"ms.PublishEvent","body":{"event":{"type":"ContentEvent"}}}"#,
                "? publishText publishFile publishSecureSubmission"
            ),
            ("consumer", #"{"id":"1","type":"ms.PublishEvent"}"#, "? publishChatState publishRichContent publishAcceptStatus"),
            ("consumer", #"{"id":"1","type":"cm.ConsumerRequestConversatoin"}"#, "? requestConversation"),
        ] as [(String, String, String)])
    func `A message is known by its type and its event's`(channel: String, message: String, expected: String) throws {
        let channel = try #require(try messages().channels.first { $0.name == channel })
        switch channel.match(try JSON(parsing: message)) {
        case .found(let operation): #expect(operation.id == expected)
        case .unknown(let nearest): #expect("? " + nearest.map(\.id).joined(separator: " ") == expected)
        }
    }

    @Test(
        arguments: [
            (
                "publishText",
                #"{"id":"1","type":"ms.PublishEvent","body":{"event":{"type":"ContentEvent","contentType":"text/plain","message":"a"}}}"#,
                ["body.body.dialogId: required member 'dialogId' is missing"]
            ),
            (
                "initConnection", #"{"id":"0","type":"InitConnection","headers":{"type":".ams.headers.ConsumerAuthentication"}}"#,
                ["body.headers.jwt: matches none of 2 alternatives; nearest: required member 'jwt' is missing"]
            ),
            ("initConnection", #"{"id":"0","type":"InitConnection","headers":[{"type":".ams.headers.Other","x":1}],"body":null}"#, []),
            (
                "updateConversation",
                #"{"id":"0","type":"cm.UpdateConversationField","body":{"conversationId":"c","conversationField":{"field":"New"}}}"#, []
            ),
            ("getClock", #"{"id":"","type":"GetClock"}"#, ["body.id: '' is shorter than 1 character"]),
            ("getClock", #"{"id":17,"type":"GetClock","unknown":{}}"#, []),
        ] as [(String, String, [String])])
    func `Messages are checked as the sources demand, and no stricter`(operation: String, message: String, violations: [String]) throws {
        let operation = try #require(try messages().operation(operation))
        #expect(operation.check(message: try JSON(parsing: message)).violations.map(\.description) == violations)
    }

    @Test func `Everything but a chat state has a place in the sequence`() throws {
        let message = try #require(try messages().channels[0].sent.first { $0.id == "eventsPublished" })
        func check(_ members: String) throws -> [String] {
            let change = "{\"dialogId\":\"d\",\"originatorId\":\"o\",\(members)}"
            let text = "{\"kind\":\"notification\",\"type\":\"ms.MessagingEventNotification\",\"body\":{\"changes\":[\(change)]}}"
            return message.check(try JSON(parsing: text)).map(\.description)
        }
        #expect(try check(#""event":{"type":"ChatStateEvent"}"#) == [])
        #expect(
            try check(#""sequence":0,"event":{"type":"ChatStateEvent"}"#) == ["body.body.changes[0].sequence: nothing is allowed here"])
        #expect(
            try check(#""event":{"type":"ContentEvent"}"#) == [
                "body.body.changes[0].sequence: required member 'sequence' is missing",
                "body.body.changes[0].serverTimestamp: required member 'serverTimestamp' is missing",
            ])
    }
}
