import SparringJSON

/// The places of a run's seconds in a drawing. Time runs evenly; but gaps in which nothing happens, and beside which all else would shrink
/// to nothing, are drawn as breaks: as when a clock is advanced by an hour.
struct TimeAxis {
    struct Piece {
        var times: ClosedRange<Double>
        var x: Double
        var width: Double
        /// Nothing happens in it, and its width says nothing.
        var isBreak: Bool
    }

    static let breakWidth = 64.0
    /// A break is so many times longer than all that is shown evenly…
    private static let breakFactor = 8.0
    /// … which is a time that is worth it, in seconds…
    private static let leastShown = 0.5
    /// … and there are few.
    private static let mostBreaks = 12
    /// Pixels from a tick to the next, at least.
    private static let tickDistance = 72.0

    let times: ClosedRange<Double>
    let width: Double
    private(set) var pieces: [Piece] = []
    private var perSecond = 0.0

    /// - Parameters:
    ///   - times: in seconds.
    ///   - width: in pixels, without the breaks.
    ///   - instants: when something happens; empty: there are to be no breaks.
    init(_ times: ClosedRange<Double>, width: Double, instants: [Double] = []) {
        self.times = times
        let breaks = Self.breaks(times, instants)
        let shown = times.upperBound - times.lowerBound - breaks.map { $0.upperBound - $0.lowerBound }.reduce(0, +)
        perSecond = shown > 0 ? width / shown : 0
        self.width = width + Double(breaks.count) * Self.breakWidth
        var begin = times.lowerBound
        var x = 0.0
        for gap in breaks {
            append(begin...gap.lowerBound, &x, nil)
            append(gap, &x, Self.breakWidth)
            begin = gap.upperBound
        }
        append(begin...times.upperBound, &x, nil)
    }

    private mutating func append(_ times: ClosedRange<Double>, _ x: inout Double, _ width: Double?) {
        let piece = Piece(
            times: times, x: x, width: width ?? (times.upperBound - times.lowerBound) * perSecond, isBreak: width != nil)
        pieces.append(piece)
        x += piece.width
    }

    private static func breaks(_ times: ClosedRange<Double>, _ instants: [Double]) -> [ClosedRange<Double>] {
        guard !instants.isEmpty else { return [] }
        let sorted = ([times.lowerBound, times.upperBound] + instants.filter { times.contains($0) }).sorted()
        var gaps: [ClosedRange<Double>] = zip(sorted, sorted.dropFirst()).map { $0...$1 }
        gaps.sort { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
        var shown = 0.0
        for (index, gap) in gaps.enumerated() {
            let length = gap.upperBound - gap.lowerBound
            if shown >= leastShown, length > breakFactor * shown, gaps.count - index <= mostBreaks {
                return gaps[index...].sorted { $0.lowerBound < $1.lowerBound }
            }
            shown += length
        }
        return []
    }

    func x(_ seconds: Double) -> Double {
        let seconds = min(max(seconds, times.lowerBound), times.upperBound)
        guard let piece = pieces.first(where: { seconds <= $0.times.upperBound }) ?? pieces.last else { return 0 }
        let length = piece.times.upperBound - piece.times.lowerBound
        return piece.x + (length > 0 ? (seconds - piece.times.lowerBound) / length * piece.width : 0)
    }

    /// Round numbers of seconds, as far apart as their words need.
    var ticks: [(x: Double, words: String)] {
        guard perSecond > 0 else { return [(0, words(times.lowerBound))] }
        let step = Self.step(atLeast: Self.tickDistance / perSecond)
        var ticks: [(x: Double, words: String)] = []
        for piece in pieces where !piece.isBreak {
            var count = (piece.times.lowerBound / step).rounded(.up)
            while count * step <= piece.times.upperBound {
                let x = x(count * step)
                if ticks.last.map({ x - $0.x >= Self.tickDistance * 0.9 }) ?? true { ticks.append((x, words(count * step))) }
                count += 1
            }
        }
        return ticks
    }

    private static func step(atLeast least: Double) -> Double {
        let steps = [
            0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800,
            21_600, 43_200,
        ]
        if let step = steps.first(where: { $0 >= least }) { return step }
        var step = 86_400.0
        while step < least { step *= 2 }
        return step
    }

    /// An instant: `1.25 s`, and in long runs `3:20` or `1:03:20`.
    func words(_ seconds: Double) -> String {
        guard times.upperBound >= 120, seconds >= 60 else { return seconds.rounded(to: 3) + " s" }
        let whole = Int64(clamped: seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = (seconds - Double(whole)).rounded(to: 3).drop { $0 != "." }
        let hours = whole / 3600
        return (hours > 0 ? "\(hours):\(two(whole / 60 % 60))" : "\(whole / 60)") + ":\(two(whole % 60))\(rest)"
    }
}
