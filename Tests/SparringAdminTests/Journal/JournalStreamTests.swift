import BirdSupport
import Foundation
import HTTPTypes
import SparringAdmin
import SparringEngine
import SparringJSON
import SparringJournal
@testable import SparringSandbox
import Support
import Testing

/// The journal as server-sent events: `GET /__admin/sandboxes/{sandbox}/stream`.
@Suite struct JournalStreamTests {
    private static let target = "/__admin/sandboxes/default/stream"

    private static func numbers(_ events: [EventReader.Event]) -> [Int] {
        events.filter { $0.name == "entries" }.flatMap { $0.data.array ?? [] }.compactMap { $0["number"]?.integer.map { Int($0) } }
    }

    private func mark(_ server: TestServer, _ count: Int) async throws {
        for number in 0..<count { try await server.admin(.post, "journal/marks", ["mark": "badge", "value": .integer(Int64(number))]) }
    }

    @Test func `a reader gets what is there and what comes, in order, with the last number as id`() async throws {
        try await Aviary.run { server in
            try await mark(server, 2)
            let reader = try EventReader(server, Self.target)
            _ = await reader.events { Self.numbers($0).count >= 2 }
            try await mark(server, 3)
            let (events, end) = await reader.events { Self.numbers($0).count >= 5 }
            #expect(end == .met)
            #expect(events.first?.name == "open" && events.first?.id == nil)
            #expect(events.first?.data["sandbox"] == "default" && events.first?.data["since"] == 1 && events.first?.data["floor"] == 0)
            #expect(Self.numbers(events) == [1, 2, 3, 4, 5])
            for event in events where event.name == "entries" {
                #expect(event.id == event.data.array?.last?["number"]?.integer.map { Int($0) })
            }
        }
    }

    @Test func `a head has what a line needs, and neither headers nor bodies`() async throws {
        try await Aviary.run { server in
            let answer = try await server.send(
                .post, birdsTarget(), headers: [.authorization: "Bearer top-hidden"], json: ["bird": "vulture", "code": "my-hidden-code"])
            #expect(answer.status == 403)
            let reader = try EventReader(server, Self.target)
            let (events, _) = await reader.events { Self.numbers($0).count >= 1 }
            let head = try #require(events.last?.data.array?.first)
            #expect(head["operation"] == "parrot.admitBird" && head["status"] == 403 && head["answer"] == "bird-unwelcome")
            let entry = try await server.admin(.get, "journal/1")
            #expect(
                head["outcome"] == entry["answer"]?["outcome"] && head["outcome"] != nil && head["method"] == "POST"
                    && head["kind"] == "exchange")
            #expect(head["target"]?.string == birdsTarget() && head["cause"]?.string?.isEmpty == false)
            #expect(!head.text.contains("hidden"), "\(head.text)")
        }
    }

    @Test func `a reader that comes back gets no entry twice and misses none, over a restart too`() async throws {
        try await TemporaryFolder.database { file in
            let (first, made) = try await Aviary.run(database: file) { server in
                try await mark(server, 3)
                let reader = try EventReader(server, Self.target)
                let (events, _) = await reader.events { Self.numbers($0).count >= 3 }
                try await mark(server, 2)  // these the reader never sees before the server has gone
                return (Self.numbers(events), events.first?.data["made"])
            }
            try await Aviary.run(database: file) { server in
                try await mark(server, 1)
                let reader = try EventReader(server, Self.target, headers: "Last-Event-ID: \(first.last ?? 0)\r\n")
                let (events, _) = await reader.events { Self.numbers($0).count >= 3 }
                #expect(first + Self.numbers(events) == [1, 2, 3, 4, 5, 6])
                #expect(events.first?.data["made"] == made && made != nil)
                #expect(events.first?.data["process"] == 2)
            }
        }
    }

    @Test(arguments: ["reset", "delete"])
    func `a reader hears that the sandbox is another now, or none`(_ how: String) async throws {
        try await Aviary.run { server in
            try await mark(server, 1)
            let reader = try EventReader(server, Self.target)
            let (before, _) = await reader.events { Self.numbers($0).count >= 1 }
            if how == "reset" { try await server.admin(.post, "reset") } else { try await server.admin(.delete, "") }
            let (_, end) = await reader.events { $0.last?.name == "gone" }
            #expect(end == .met)
            guard how == "reset" else {
                return #expect(try await server.send(.get, Self.target).status == 404)
            }
            let (after, _) = await (try EventReader(server, Self.target, headers: "Last-Event-ID: 1\r\n")).events { !$0.isEmpty }
            #expect(after.first?.data["made"] != nil && after.first?.data["made"] != before.first?.data["made"])
        }
    }

    @Test func `entries that have left the journal are announced and not sent`() async throws {
        try await Aviary.run { server in
            try await mark(server, 3)
            let reader = try EventReader(server, Self.target)
            _ = await reader.events { Self.numbers($0).count >= 3 }
            try await server.admin(.delete, "journal")
            try await mark(server, 1)
            let (events, _) = await reader.events { Self.numbers($0).count >= 4 }
            #expect(events.suffix(2).map(\.name) == ["pruned", "entries"])
            #expect(events.dropLast().last?.data == ["floor": 3])
            #expect(Self.numbers(events) == [1, 2, 3, 4])
            let late = try EventReader(server, Self.target, headers: "Last-Event-ID: 1\r\n")
            let (rest, _) = await late.events { Self.numbers($0).count >= 1 }
            #expect(rest.first?.data["floor"] == 3 && Self.numbers(rest) == [4])
        }
    }

    /// The reader takes nothing until thousands have come, and the kernel keeps little for it.
    @Test func `a reader that is far behind learns what it missed, and gets the newest`() async throws {
        try await Aviary.run { server in
            let reader = try EventReader(server, Self.target, receiveBuffer: 4096)
            let sandbox = try #require(server.engine.world.sandbox("default"))
            let (count, cause) = (30_000, Cause(String(repeating: "x", count: 290)))
            for _ in 0..<30 {
                try await sandbox.store.write { db in
                    for _ in 0..<count / 30 { try sandbox.journal.append(sandbox.entry(.mark, cause: cause), db) }
                }
                sandbox.journal.committed()
            }
            try await until {
                let metrics = try await server.send(.get, "/__admin/metrics").text
                return (metrics.firstMatch(of: /sparring_stream_bytes (\d+)/)).flatMap { Int($0.1) } ?? 0 > 1 << 20
            }
            let (events, end) = await reader.events(through: count)
            #expect(end == .met)
            var next = 1
            for event in events {
                if event.name == "lag" {
                    #expect(event.data["from"]?.integer == Int64(next) && event.id.map { Int64($0) } == event.data["to"]?.integer)
                    next = (event.id ?? 0) + 1
                }
                for number in Self.numbers([event]) {
                    #expect(number == next)
                    next = number + 1
                }
            }
            #expect(next == count + 1 && events.contains { $0.name == "lag" })
        }
    }

    @Test func `what cannot be streamed is refused`() async throws {
        try await Aviary.run(configure: { $0.adminToken = "secret" }) { server in
            let token: HTTPFields = [.authorization: "Bearer secret"]
            #expect(try await server.send(.get, Self.target).status == 401)
            let unknown = try await server.send(.get, Self.target.replacing("default", with: "defualt"), headers: token)
            #expect(unknown.status == 404 && unknown.json?["nearest"] == ["default"])
            var wrong = token
            wrong[.init("Last-Event-ID")!] = "x"
            #expect(try await server.send(.get, Self.target, headers: wrong).status == 400)
        }
    }
}
