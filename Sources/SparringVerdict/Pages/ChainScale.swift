import Foundation

/// The scale of the seconds of waiting in the drawing of a chain. It is linear from 0 or, where the longest wait is many times the
/// shortest, logarithmic, so that the short ones are seen too.
struct ChainScale {
    let width: Double
    let isLogarithmic: Bool
    private let least: Double
    private let most: Double

    /// So many times longer is the longest than the shortest.
    private static let ratio = 20.0
    private static let tickDistance = 56.0

    /// - Parameters:
    ///   - waits: what is to have a place, in seconds.
    ///   - width: in pixels.
    init(_ waits: [Double], width: Double) {
        let shown = waits.filter { $0 > 0.0005 }
        most = max(shown.max() ?? 0, 0.001) * 1.04
        let shortest = shown.min() ?? most
        isLogarithmic = most / shortest > Self.ratio
        least = max(shortest / 2, most / 1_000_000)
        self.width = width
    }

    func x(_ seconds: Double) -> Double {
        let seconds = min(max(seconds, 0), most)
        guard isLogarithmic else { return seconds / most * width }
        return seconds <= least ? 0 : log(seconds / least) / log(most / least) * width
    }

    /// Round numbers of seconds.
    var ticks: [Double] {
        var ticks: [Double] = isLogarithmic ? [] : [0]
        var last = isLogarithmic ? -Self.tickDistance : 0
        var power = 0.001
        var steps: [Double] = []
        while power < most {
            steps += [power, 2 * power, 5 * power]
            power *= 10
        }
        if isLogarithmic {
            for step in steps where step >= least && step <= most && x(step) - last >= Self.tickDistance {
                ticks.append(step)
                last = x(step)
            }
        } else if let step = steps.first(where: { x($0) >= Self.tickDistance }) {
            var tick = step
            while tick <= most {
                ticks.append(tick)
                tick += step
            }
        }
        return ticks
    }
}
