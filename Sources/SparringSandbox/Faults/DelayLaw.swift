import Glibc
import SparringJSON
import SparringJournal

/// How long a delay takes.
public enum DelayLaw: Sendable, Equatable {
    case fixed(Duration)
    /// Evenly between the two.
    case uniform(from: Duration, to: Duration)
    /// Half of the delays are shorter than the median; `sigma` is the standard deviation of their logarithm. Real servers' answer times are
    /// of this shape.
    case lognormal(median: Duration, sigma: Double)

    /// The delay that this draw leads to.
    func duration(_ draw: (String) -> Draw) -> Duration {
        switch self {
        case .fixed(let duration): return duration
        case .uniform(let from, let to):
            return .milliseconds(from.milliseconds + draw("delay").number(below: to.milliseconds - from.milliseconds + 1))
        case .lognormal(let median, let sigma):
            // Box and Muller: two even draws make a normal one.
            let (first, second) = (1 - draw("delay").fraction, draw("delay-angle").fraction)
            let normal = sqrt(-2 * log(first)) * cos(2 * .pi * second)
            let milliseconds = Double(median.milliseconds) * exp(sigma * normal)
            return .milliseconds(Int64(clamped: min(milliseconds, 86_400_000).rounded()))
        }
    }
}
