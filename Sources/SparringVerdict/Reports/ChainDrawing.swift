/// A chain of attempts over time: when each was due, as a band; when it came, as a mark that is shaped and coloured by its judgement; and
/// for how long nothing came after the last.
struct ChainDrawing {
    private static let width = 736.0
    private static let margin = 28.0
    private static let middle = 50.0
    private static let bandHeight = 26.0
    private static let axisY = 104.0
    private static let height = 124.0

    private let chain: RetryChain
    private let axis: TimeAxis

    init(_ chain: RetryChain) {
        self.chain = chain
        let ends = chain.attempts.flatMap { attempt in
            [attempt.seen, (Self.due(attempt, chain) ?? 0) + attempt.allowance]
        }
        axis = TimeAxis(0...max(ends.max() ?? 0, Self.end(chain), 0.001), width: Self.width - 2 * Self.margin)
    }

    /// When an attempt should have come, from the beginning of the chain.
    private static func due(_ attempt: RetryChain.Attempt, _ chain: RetryChain) -> Double? {
        guard let due = attempt.due, let waited = attempt.waited ?? (attempt.isAwaited ? chain.watched : nil) else { return nil }
        return attempt.seen - waited + due
    }

    /// Of the watch.
    private static func end(_ chain: RetryChain) -> Double {
        guard let last = chain.attempts.last else { return 0 }
        return last.isAwaited ? last.seen : last.seen + (chain.watched ?? 0)
    }

    private func x(_ seconds: Double) -> Double { Self.margin + axis.x(seconds) }

    var svg: Markup {
        """
        <svg class="chain" width="\(Self.width)" height="\(Self.height)" viewBox="0 0 \(Self.width) \(Self.height)" role="img">\
        <title>\(chain.words)</title>
        \(ticks)\(bands)\(silence)\(marks)</svg>
        """
    }

    private var ticks: Markup {
        var out: Markup = """
            <path class="line" d="M\(x(0)) \(Self.axisY)H\(x(axis.times.upperBound))"/>
            """
        for tick in axis.ticks {
            let x = Self.margin + tick.x
            out += """
                <path class="line" d="M\(x) \(Self.axisY)v4"/><text class="tick" x="\(x)" y="\(Self.axisY + 16)">\(tick.words)</text>
                """
        }
        return out
    }

    private var bands: Markup {
        var out = Markup.none
        var rows = LabelRows(2, width: Self.width)
        for (index, attempt) in chain.attempts.enumerated() {
            guard let due = Self.due(attempt, chain), let wanted = attempt.due, let earliest = attempt.earliest else { continue }
            let words = "due \(attempt.dueWords)"
            let left = x(due - wanted + earliest)
            let top = Self.middle - Self.bandHeight / 2
            out += """
                <g><title>\("attempt \(index + 1) was \(words) after the one before")</title>\
                <rect class="band" x="\(left)" y="\(top)" width="\(max(2, x(due + attempt.allowance) - left))" height="\(Self.bandHeight)"/>\
                <path class="due" d="M\(x(due)) \(top)v\(Self.bandHeight)"/></g>
                """
            if let place = rows.place(words, at: x(due), isMiddle: true) {
                out += "<text x=\"\(place.x)\" y=\"\(Self.middle + 28 + Double(place.row) * 13)\">\(words)</text>\n"
            }
        }
        return out
    }

    private var silence: Markup {
        guard let last = chain.attempts.last(where: { !$0.isAwaited }) else { return .none }
        let end = Self.end(chain)
        let from = chain.watched.map { end - $0 } ?? last.seen
        var out: Markup = "<path class=\"line\" d=\"M\(x(0)) \(Self.middle)H\(x(from))\"/>"
        if let watched = chain.watched {
            let wanted = chain.attempts.last.flatMap { $0.isAwaited && $0.earliest == nil ? $0.due : nil }
            let words = "nothing came for \(watched.seconds)" + (wanted.map { ", of \($0.seconds)" } ?? "")
            out += """
                <g><title>\(words)</title><path class="silence" d="M\(x(from)) \(Self.middle)H\(x(end))"/>\
                <path class="line" d="M\(x(end)) \(Self.middle - 6)v12"/></g>
                """
        }
        return out
    }

    private var marks: Markup {
        var out = Markup.none
        var rows = LabelRows(2, width: Self.width)
        for (index, attempt) in chain.attempts.enumerated() {
            if attempt.isAwaited, attempt.earliest == nil { continue }  // what is due is the silence
            let x = x(attempt.isAwaited ? Self.due(attempt, chain) ?? attempt.seen : attempt.seen)
            let entries = attempt.entries.isEmpty ? "" : "entry \(attempt.entryWords), "
            let outcome = attempt.outcome.isEmpty ? "" : "\(attempt.outcome), "
            let title = "attempt \(index + 1): \(entries)\(outcome)\(attempt.judged.rawValue)"
            out += """
                <g class="\(attempt.judged.rawValue)"><title>\(title)</title>\
                \(Self.shape(attempt.judged, x, Self.middle))</g>
                """
            let isPlain = attempt.judged == .good || attempt.judged == .first
            for label in isPlain ? ["\(index + 1)"] : ["\(index + 1) \(attempt.judged.rawValue)", "\(index + 1)"] {
                guard let place = rows.place(label, at: x, isMiddle: true) else { continue }
                let weight: Markup = attempt.judged.isBad ? " class=\"strong\"" : .none
                out += "<text\(weight) x=\"\(place.x)\" y=\"\(28 - Double(place.row) * 14)\">\(label)</text>\n"
                break
            }
        }
        return out
    }

    /// The shape says what the colour does.
    static func shape(_ judged: RetryChain.Judged, _ x: Double, _ y: Double) -> Markup {
        switch judged {
        case .first: "<circle class=\"ring\" cx=\"\(x)\" cy=\"\(y)\" r=\"5.5\"/>"
        case .good: "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"6\"/>"
        case .early: "<path d=\"M\(x + 5) \(y - 8)v16l-12 -8z\"/>"
        case .late: "<path d=\"M\(x - 5) \(y - 8)v16l12 -8z\"/>"
        case .surplus: "<path class=\"cross\" d=\"M\(x - 6) \(y - 6)l12 12m0 -12l-12 12\"/>"
        case .missing: "<circle class=\"ring dashed\" cx=\"\(x)\" cy=\"\(y)\" r=\"7\"/>"
        case .open: "<circle class=\"ring dotted\" cx=\"\(x)\" cy=\"\(y)\" r=\"6\"/>"
        }
    }
}
