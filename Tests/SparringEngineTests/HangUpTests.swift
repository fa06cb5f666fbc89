import BirdSupport
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// Clients that do not wait for their answer.
@Suite struct HangUpTests {
    private func request(_ lane: String) -> String {
        "GET \(birdTarget()) HTTP/1.1\r\nHost: localhost\r\nX-Sparring-Lane: \(lane)\r\n\r\n"
    }

    @Test(arguments: [false, true])
    func `a client that leaves while its request is held back is journalled, and nothing is decided`(_ byReset: Bool) async throws {
        try await Aviary.run { server in
            try await server.arm("* delay by=1h times=1")
            let client = try RawClient(port: server.addresses.port)
            client.send(request("ada"))
            try await server.untilPending()
            if byReset { client.reset() } else { client.close() }
            let told = try await server.admin(.get, "journal/wait?kind=hang-up&timeout=60s")["entries"]?.array
            let entry = try #require(told?.first)
            #expect(
                entry["operation"] == .string(findBird) && entry["lane"] == "ada" && entry["ordinal"] == 1 && entry["faults"] == [1])
            #expect(entry["cause"]?.string?.hasPrefix("client gave up after ") == true)
            #expect(entry["cause"]?.string?.hasSuffix(" while its request was held back; nothing was decided") == true)
            #expect(entry["request"]?["target"] == .string(birdTarget()))
            // Nothing waits any more, and nothing runs when its time comes.
            #expect(try await server.admin(.post, "clock/advance", ["by": "2h"])["ran"] == 0)
            #expect(try await server.journal("?kind=exchange").isEmpty)
            #expect(try await server.admin(.get, "faults/1")["hits"] == 1)
            #expect(try await server.find().status == 200)
        }
    }

    @Test func `a client that leaves while its answer is held back: the exchange stays, its hang-up follows`() async throws {
        try await Aviary.run { server in
            try await server.arm("* delay by=1h phase=onResponseStart times=1")
            let client = try RawClient(port: server.addresses.port)
            client.send(request("ada"))
            try await server.untilPending()
            client.close()
            _ = try await server.admin(.get, "journal/wait?kind=hang-up&timeout=60s")
            let entries = try await server.journal("?lane=ada")
            #expect(entries.map { $0["kind"] } == ["exchange", "hang-up"])
            #expect(entries[0]["answer"]?["status"] == 200)
            #expect(entries[1]["cause"]?.string?.hasSuffix(" while its answer was held back") == true)
            #expect(try await server.admin(.post, "clock/advance", ["by": "2h"])["ran"] == 0)
        }
    }

    @Test func `of many delayed clients only those that left are journalled as gone`() async throws {
        try await Aviary.run { server in
            try await server.arm("* delay by=1m")
            let clients = try (0..<20).map { _ in try RawClient(port: server.addresses.port) }
            for (index, client) in clients.enumerated() { client.send(request("lane-\(index)")) }
            try await server.untilPending(20)
            for client in clients.prefix(10) { client.close() }
            _ = try await server.admin(.get, "journal/wait?kind=hang-up&count=10&timeout=60s")
            #expect(try await server.admin(.post, "clock/advance", ["by": "1m"])["ran"] == 10)
            for client in clients.suffix(10) { #expect(try await client.answer().status == 200) }
            let (gone, answered) = (try await server.journal("?kind=hang-up"), try await server.journal("?kind=exchange"))
            #expect(Set(gone.compactMap { $0["lane"]?.string }) == Set((0..<10).map { "lane-\($0)" }))
            #expect(Set(answered.compactMap { $0["lane"]?.string }) == Set((10..<20).map { "lane-\($0)" }))
        }
    }
}
