@testable import SparringSandbox
import Testing

/// Random values, which must be the same on every machine (promise 4 of the design).
@Suite struct DrawTests {
    /// The values are another implementation's: Python's hashlib over the same bytes.
    @Test(
        arguments: [
            (Draw(seed: 1), "6b86b273ff34fce1", 0.42002406436877837, "6b86b273-ff34-4ce1-9d6b-804eff5a3f57", 420),
            (
                Draw(seed: 7, "fault", "1", "ada", "3", "delay"), "1595f47eeaac38f7", 0.0843193826537324,
                "1595f47e-eaac-48f7-b02f-2cf7e255bce9", 84
            ),
            (Draw(seed: -5, "René"), "b635c689e32b52b1", 0.7117580496443854, "b635c689-e32b-42b1-9b2d-57b25eecfa36", 711),
        ] as [(Draw, String, Double, String, Int64)])
    func `a draw is what it always was`(_ draw: Draw, _ hex: String, _ fraction: Double, _ uuid: String, _ below: Int64) {
        #expect(draw.hex.hasPrefix(hex) && draw.hex.count == 64)
        #expect(draw.fraction == fraction)
        #expect(draw.uuid == uuid)
        #expect(draw.number(below: 1000) == below)
    }

    @Test func `draws for different purposes differ, even where the joined texts are equal`() {
        let draws = [
            Draw(seed: 1, "ab", "c"), Draw(seed: 1, "a", "bc"), Draw(seed: 1, "abc"), Draw(seed: 1, "abc", ""), Draw(seed: 2, "abc"),
            Draw(seed: 12, "3"), Draw(seed: 1, "23"), Draw(seed: 1, "1|3"), Draw(seed: 1),
        ]
        #expect(Set(draws.map(\.hex)).count == draws.count)
    }

    @Test func `draws are evenly spread, to the ends of their range`() {
        let numbers = (0..<10_000).map { Draw(seed: 3, String($0)).number(below: 10) }
        for value in Int64(0)..<10 {
            let count = numbers.count { $0 == value }
            // Six standard deviations of 30.
            #expect((820...1180).contains(count), "\(value): \(count)")
        }
        #expect(Draw(seed: 1).number(below: 0) == 0 && Draw(seed: 1).number(below: .max) < .max)
    }
}
