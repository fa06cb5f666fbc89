import Glibc
@testable import SparringSandbox
import Testing

/// How long delays are.
@Suite struct DelayLawTests {
    private static func delays(_ law: DelayLaw, _ count: Int = 4000) -> [Duration] {
        (0..<count).map { call in law.duration { Draw(seed: 1, String(call), $0) } }
    }

    @Test func `a fixed one is always the same`() {
        #expect(Set(Self.delays(.fixed(.milliseconds(7)), 50)) == [.milliseconds(7)])
    }

    @Test func `an even one reaches both its ends and nothing beyond`() {
        let delays = Self.delays(.uniform(from: .milliseconds(10), to: .milliseconds(19)))
        #expect(Set(delays) == Set((10...19).map { .milliseconds($0) }))
        #expect(Set(Self.delays(.uniform(from: .seconds(1), to: .seconds(1)), 50)) == [.seconds(1)])
    }

    @Test(arguments: [0.1, 0.5, 1.5])
    func `half of a lognormal one's are shorter than the median, and their logarithms deviate by sigma`(_ sigma: Double) {
        let delays = Self.delays(.lognormal(median: .seconds(10), sigma: sigma)).map { $0 / .seconds(10) }
        let shorter = delays.count { $0 < 1 }
        #expect((1800...2200).contains(shorter), "\(shorter)")
        // Of a normal distribution, 68.3 % lie within one standard deviation.
        let near = delays.count { ($0 >= exp(-sigma)) && ($0 <= exp(sigma)) }
        #expect((2580...2880).contains(near), "\(near)")
    }

    @Test func `none is longer than a day, whatever sigma is`() {
        let delays = Self.delays(.lognormal(median: .seconds(3600), sigma: 1e6), 200)
        #expect(delays.max() == .seconds(86_400) && delays.allSatisfy { $0 >= .zero })
        #expect(Set(Self.delays(.lognormal(median: .milliseconds(300), sigma: 0), 50)) == [.milliseconds(300)])
    }
}
