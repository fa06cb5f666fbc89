import BirdSupport
import HTTPTypes
import SparringJSON
import Support
import Testing

/// The lane of a call, where names are written in more than one way (Unicode Standard Annex #15).
@Suite struct LaneTests {
    private static let composed = "Ren\u{E9}"
    private static let decomposed = "Rene\u{301}"

    @Test(arguments: TestServer.Speed.usual)
    func `a lane is one, however its accents are written`(_ speed: TestServer.Speed) async throws {
        try await Aviary.run(speed) { server in
            try await server.arm("\(findBird) status code=503 every=2 per=lane")
            var statuses: [Int] = []
            for lane in [Self.composed, Self.decomposed, Self.decomposed, Self.composed] {
                statuses.append(try await server.find(lane).status)
            }
            #expect(statuses == [503, 200, 503, 200] || statuses == [200, 503, 200, 503], "\(statuses)")
            try await server.admin(.post, "journal/marks", ["mark": "badge", "lane": .string(Self.decomposed)])
            let entries = try await server.journal("?operation=\(findBird)&kind=exchange")
            #expect(entries.map { $0["lane"] } == Array(repeating: .string(Self.composed), count: 4))
            #expect(entries.map { $0["ordinal"] } == [1, 2, 3, 4])
            for name in ["Ren%C3%A9", "Rene%CC%81"] {
                let kinds = try await server.journal("?lane=\(name)").compactMap { $0["kind"]?.string }
                #expect(kinds.count { $0 == "exchange" } == 4 && kinds.last == "mark", "\(kinds)")
            }
        }
    }
}
