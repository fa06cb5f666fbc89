import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// A device's inbox as server-sent events (WHATWG HTML §9.2).
@Suite struct NotificationStreamTests {
    private static let target = "/__admin/sandboxes/default/devices/phone-1/notifications/stream"

    private func reader(_ server: TestServer, _ header: String = "", query: String = "") throws -> RawClient {
        let client = try RawClient(port: server.addresses.port)
        client.send("GET \(Self.target)\(query) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n")
        return client
    }

    /// The numbers of the events that came, once there are so many.
    private func numbers(_ client: RawClient, _ count: Int) async -> [Int] {
        @Sendable func numbers(_ bytes: [UInt8]) -> [Int] {
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            return lines.indices.dropLast(2).compactMap { index in
                guard lines[index].hasPrefix("id: "), lines[index + 1] == "event: notification", lines[index + 2].hasPrefix("data: ") else {
                    return nil
                }
                return Int(lines[index].dropFirst(4))
            }
        }
        let (bytes, _) = await client.read { numbers($0).count >= count }
        return numbers(bytes)
    }

    @Test func `each notification is an event, and a reader goes on where it lost the connection`() async throws {
        try await TestServer.run { server in
            let first = try reader(server)
            let phone = try await Phone(try await Scene(server))
            try await phone.register()
            try await phone.proactive("one")
            try await phone.proactive("two")
            #expect(await numbers(first, 2) == [1, 2])
            first.reset()
            try await phone.proactive("three")
            let again = try reader(server, "Last-Event-ID: 1\r\n")
            #expect(await numbers(again, 2) == [2, 3])
            let third = try reader(server, query: "?since=3")
            #expect(await numbers(third, 1) == [3])
        }
    }

    @Test func `the event's data is the notification itself`() async throws {
        try await TestServer.run { server in
            let phone = try await Phone(try await Scene(server))
            try await phone.register()
            try await phone.proactive("one")
            let (bytes, _) = await (try reader(server)).read { String(decoding: $0, as: UTF8.self).contains("}\n\n") }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.lowercased().contains("content-type: text/event-stream"))
            let data = try #require(text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("data: ") })
            let notification = try await phone.notifications().first
            #expect(try JSON(parsing: String(data.dropFirst(6))) == notification)
        }
    }

    @Test func `the stream ends with its sandbox's server`() async throws {
        let client = try await TestServer.run { server in
            let client = try reader(server)
            let (_, end) = await client.read { String(decoding: $0, as: UTF8.self).contains("event-stream") }
            #expect(end == .met)
            return client
        }
        let (_, end) = await client.read { _ in false }
        #expect(end == .closed)
    }

    @Test func `what cannot be streamed is refused`() async throws {
        try await TestServer.run { server in
            let unknown = try await server.send(.get, Self.target.replacing("default", with: "defualt"))
            #expect(unknown.status == 404 && unknown.json?["nearest"] == ["default"])
            #expect(try await server.send(.get, Self.target, headers: [.init("Last-Event-ID")!: "x"]).status == 400)
        }
    }

    @Test(arguments: [
        ("0", 200), ("9007199254740991", 200), ("9007199254740992", 400), ("9223372036854775807", 400), ("9223372036854775808", 400),
        ("-1", 400), ("+1", 400), ("99999999999999999999", 400),
    ])
    func `a reader may have had the last number there can be, and none beyond`(_ last: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let client = try reader(server, "Last-Event-ID: \(last)\r\n")
            let (bytes, _) = await client.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
            #expect(try await server.send(.get, "/__admin/health").status == 200)
        }
    }
}
