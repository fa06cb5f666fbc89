import Glibc
@testable import SparringSandbox
import Testing

/// How long the random delays of the effect `delay` are.
@Suite struct DelayTests {
    private static func delays(_ length: ((String) -> Draw) -> Duration, _ count: Int = 4000) -> [Duration] {
        (0..<count).map { call in length { Draw(seed: 1, String(call), $0) } }
    }

    private static func lognormal(_ median: Duration, _ sigma: Double, _ count: Int = 4000) -> [Duration] {
        delays({ FaultEffect.lognormal(median, sigma, $0) }, count)
    }

    @Test func `an even one reaches both its ends and nothing beyond`() {
        let delays = Self.delays { FaultEffect.uniform(.milliseconds(10), .milliseconds(19), $0) }
        #expect(Set(delays) == Set((10...19).map { .milliseconds($0) }))
        #expect(Set(Self.delays({ FaultEffect.uniform(.seconds(1), .seconds(1), $0) }, 50)) == [.seconds(1)])
    }

    @Test(arguments: [0.1, 0.5, 1.5])
    func `half of a lognormal one's are shorter than the median, and their logarithms deviate by sigma`(_ sigma: Double) {
        let delays = Self.lognormal(.seconds(10), sigma).map { $0 / .seconds(10) }
        let shorter = delays.count { $0 < 1 }
        #expect((1800...2200).contains(shorter), "\(shorter)")
        // Of a normal distribution, 68.3 % lie within one standard deviation.
        let near = delays.count { ($0 >= exp(-sigma)) && ($0 <= exp(sigma)) }
        #expect((2580...2880).contains(near), "\(near)")
    }

    @Test func `none is longer than a day, whatever sigma is`() {
        let delays = Self.lognormal(.seconds(3600), 1e6, 200)
        #expect(delays.max() == .seconds(86_400) && delays.allSatisfy { $0 >= .zero })
        #expect(Set(Self.lognormal(.milliseconds(300), 0, 50)) == [.milliseconds(300)])
    }
}
