import SparringContract
import SparringJSON
import SparringVariation
import Testing

/// Variation against every example of every contract: what a family may do, and that a change can be left out alone.
@Suite struct ContractVariationTests {
    private static let seeds: [Int64] = [1, 2]

    @Test(arguments: VariationFamily.allCases) func `a family stays where it may go`(_ family: VariationFamily) {
        var count = 0
        for sample in Sample.all {
            for seed in Self.seeds {
                let (body, changes) = sample.varied(VariationPlan(seed: seed, families: [family]))
                #expect((body == sample.body) == changes.isEmpty, "\(sample), seed \(seed): \(changes)")
                count += changes.count
                let stray = sample.violations(body).filter { violation in
                    // That no alternative fits is said of all members of what has them.
                    let around = violation.pointer.prefix(upTo: violation.pointer.lastIndex(of: "/") ?? violation.pointer.startIndex)
                    return family.tier == .contract
                        || !changes.contains {
                            violation.pointer.hasPrefix($0.place) || violation.kind == .alternative && $0.place.hasPrefix(around)
                        }
                }
                #expect(stray.isEmpty, "\(sample), seed \(seed): \(stray) by \(changes)")
            }
        }
        let ofBodies = ![.unknownMessage, .spelling, .headers, .contentType, .framing, .frames, .order, .repeats, .unasked, .errorPage]
            .contains(family)
        #expect((count > 0) == ofBodies, "\(family): \(count) changes")
    }

    /// Beyond the places that a change takes away, nothing moves.
    @Test func `a change that is left out moves no other`() {
        for sample in Sample.all {
            let plan = VariationPlan(seed: 4)
            let all = sample.varied(plan).changes
            for change in all.prefix(4) {
                var less = plan
                less.without = [change.id]
                let left = sample.varied(less).changes
                let gone = all.filter { $0.id.drawn == change.id.drawn }.map(\.place)
                func isElsewhere(_ other: VariedPlace) -> Bool {
                    !gone.contains { other.place == $0 || other.place.hasPrefix($0 + "/") } && other.id.drawn != change.id.drawn
                }
                #expect(
                    left.filter(isElsewhere).map(\.id) == all.filter(isElsewhere).map(\.id)
                        && !left.contains { $0.id.drawn == change.id.drawn },
                    "\(sample) without \(change.id)")
            }
        }
    }

    @Test func `one change alone is what it is among all`() {
        for sample in Sample.all {
            let plan = VariationPlan(seed: 5, families: VariationPlan.wild)
            for change in sample.varied(plan).changes.prefix(5) {
                let alone = sample.varied(VariationPlan(seed: 5, families: [change.id.family], only: [change.id])).changes
                #expect(alone.map(\.id).contains(change.id), "\(sample): \(change.id)")
                #expect(Set(alone.map(\.id)).count == 1, "\(sample): \(alone)")
            }
        }
    }

    @Test func `there is room for an opaque text to grow`() {
        for sample in Sample.all {
            let (body, changes) = sample.varied(VariationPlan(seed: 6, families: [.length], turn: 2))
            #expect(sample.violations(body).isEmpty, "\(sample): \(changes)")
        }
    }

    @Test func `the same seed draws the same, another one something else`() {
        let same = Sample.all.map { $0.varied(VariationPlan(seed: 7), ordinal: 2).changes.map(\.id) }
        #expect(same == Sample.all.map { $0.varied(VariationPlan(seed: 7), ordinal: 2).changes.map(\.id) })
        #expect(same != Sample.all.map { $0.varied(VariationPlan(seed: 8), ordinal: 2).changes.map(\.id) })
        #expect(same != Sample.all.map { $0.varied(VariationPlan(seed: 7), ordinal: 3).changes.map(\.id) })
    }
}
