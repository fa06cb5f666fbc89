import Glibc
import SparringJSON

extension FaultEffect {
    static let delay = FaultEffect(
        "delay", "waits in sandbox time: fixed, uniformly random, or lognormal",
        at: [
            .call: [.onRequestEnd, .onRequestStart, .onRequestBody, .onResponseStart, .onResponseBody], .upgrade: .ofUpgrade,
            .message: .aroundDecision, .notification: [.onResponseStart],
        ],
        [
            .init("by", .duration(), "Length of `delay`.", example: "2s"),
            .init("from", .duration(), "Least length of `delay`. Needs `to`.", example: "1s"),
            .init("to", .duration(), "Greatest length of `delay`. Needs `from`.", example: "3s"),
            .init("median", .duration(), "Median of `delay` where it is lognormal. Needs `sigma`.", example: "300ms"),
            .init("sigma", .fraction(upTo: 5), "Spread of `delay` where it is lognormal, from 0 to 5. Needs `median`.", example: "0.5"),
        ], choices: [["by"], ["from", "to"], ["median", "sigma"]]
    ) { given throws(FaultRefused) in
        let length: @Sendable ((String) -> Draw) -> Duration
        if let from: Duration = given["from"], let to: Duration = given["to"] {
            guard from <= to else { throw FaultRefused("from=\(from.shortText) is longer than to=\(to.shortText)") }
            length = { uniform(from, to, $0) }
        } else if let median: Duration = given["median"], let sigma: Double = given["sigma"] {
            length = { lognormal(median, sigma, $0) }
        } else {
            let by: Duration = given["by"] ?? .zero
            length = { _ in by }
        }
        return { strike, all in all.delays[strike.phase, default: .zero] += length(strike.draw) }
    }

    /// Evenly between the two.
    static func uniform(_ from: Duration, _ to: Duration, _ draw: (String) -> Draw) -> Duration {
        .milliseconds(from.milliseconds + draw("delay").number(below: to.milliseconds - from.milliseconds + 1))
    }

    /// Half of the delays are shorter than the median; `sigma` is the standard deviation of their logarithm. Real servers' answer times are of
    /// this shape.
    static func lognormal(_ median: Duration, _ sigma: Double, _ draw: (String) -> Draw) -> Duration {
        // Box and Muller: two even draws make a normal one.
        let (first, second) = (1 - draw("delay").fraction, draw("delay-angle").fraction)
        let normal = sqrt(-2 * log(first)) * cos(2 * .pi * second)
        let milliseconds = Double(median.milliseconds) * exp(sigma * normal)
        return .milliseconds(Int64(clamped: min(milliseconds, 86_400_000).rounded()))
    }
}
