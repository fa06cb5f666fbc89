import SparringAdmin
import SparringJSON
import SparringJournal
import Testing

/// The columns of a list of scenarios.
@Suite struct ScenarioOverviewTests {
    @Test(
        arguments: [
            ([:], nil), (["faults": ["* delay by=1ms between=1s..40s"]], .seconds(40)),
            (["tenants": ["parrot": ["ticketLifetime": "2m", "eggs": ["nestLifetime": "3m"]]]], .seconds(180)),
            (["tenants": ["parrot": ["ticketLifetime": "4m"]], "clock": ["mode": "real", "offset": "5m"]], nil),
            (["tenants": ["parrot": ["ticketLifetime": "20s"]], "faults": ["* delay by=1ms between=1s..40s"]], .seconds(40)),
        ] as [(JSON, Duration?)])
    func `it takes as long as its last event, its faults and what it lets expire`(_ sandbox: JSON, _ lasts: Duration?) throws {
        let scenario = try Scenario(["scenario": "a", "title": "A", "about": "A.", "sandbox": sandbox])
        #expect(scenario.lasts == lasts)
    }

    @Test func `it needs the consumers whom its later events name, as one or by their device`() throws {
        let steps: [JSON] = [
            ["consumer": "ada"], ["device": "of:ada"], ["device": "of:*"], ["device": "phone-1"], ["text": "x"], ["device": "of:bob"], [:],
        ]
        let timeline: [JSON] = steps.map { ["at": "1s", "do": "notifyDevice", "with": $0] }
        let scenario = try Scenario(["scenario": "a", "title": "A", "about": "A.", "timeline": .array(timeline)])
        #expect(scenario.consumers == ["ada", "bob"])
        #expect(try Scenario(["scenario": "a", "title": "A", "about": "A."]).consumers == [])
    }
}
