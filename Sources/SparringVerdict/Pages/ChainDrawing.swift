/// A chain of attempts: a row for each, from when the one before had failed. When it was due is a band; when it came, a mark that is shaped and coloured by
/// its judgement; that none came, a dotted line for as long as was watched.
struct ChainDrawing {
    private static let width = 736.0
    /// For the words at the left.
    private static let label = 112.0
    private static let margin = 20.0
    private static let rowHeight = 30.0
    private static let head = 24.0

    private let chain: RetryChain
    private let scale: ChainScale

    init(_ chain: RetryChain) {
        self.chain = chain
        let waits = chain.attempts.flatMap { attempt in
            [attempt.waited, attempt.due, attempt.earliest, attempt.latest, attempt.isAwaited ? chain.watched : nil].compactMap { $0 }
        }
        scale = ChainScale(waits, width: Self.width - Self.label - Self.margin)
    }

    private func x(_ seconds: Double) -> Double { Self.label + scale.x(seconds) }
    private func middle(_ row: Int) -> Double { Self.head + (Double(row) + 0.5) * Self.rowHeight }

    var svg: Markup {
        let height = Self.head + Double(chain.attempts.count) * Self.rowHeight + 4
        return """
            <svg class="chain" width="\(Self.width)" height="\(height)" viewBox="0 0 \(Self.width) \(height)" role="img">\
            <title>\(chain.words)</title>
            \(ticks(height))\(chain.attempts.enumerated().map { row($0, $1) })</svg>
            """
    }

    private func ticks(_ height: Double) -> Markup {
        var out: Markup = "<text class=\"axis\" x=\"0\" y=\"\(Self.head - 10)\">waited</text>"
        for tick in scale.ticks {
            out += """
                <path class="grid" d="M\(x(tick)) \(Self.head - 4)V\(height)"/>\
                <text class="tick" x="\(x(tick))" y="\(Self.head - 10)">\(tick == 0 ? "0 s" : tick.seconds)</text>
                """
        }
        return out
    }

    private func row(_ index: Int, _ attempt: RetryChain.Attempt) -> Markup {
        let y = middle(index)
        let entries = attempt.entries.isEmpty ? "" : "entry \(attempt.entryWords), "
        let outcome = attempt.outcome.isEmpty ? "" : "\(attempt.outcome), "
        let due = attempt.dueWords.isEmpty ? "" : ", due after \(attempt.dueWords)"
        let title = "attempt \(attempt.number): \(entries)\(outcome)\(attempt.judged.rawValue)\(due)"
        let weight: Markup = attempt.judged.isBad ? " class=\"strong\"" : .none
        return """
            <g class="\(attempt.judged.rawValue)"><title>\(title)</title>\
            <text\(weight) x="0" y="\(y + 4)">\("\(attempt.number) \(attempt.judged.rawValue)")</text>\
            \(band(attempt, y))\(wait(attempt, y))</g>

            """
    }

    private func band(_ attempt: RetryChain.Attempt, _ y: Double) -> Markup {
        guard let due = attempt.due, let earliest = attempt.earliest else { return .none }
        let left = x(earliest)
        let right = attempt.latest.map { x($0) } ?? Self.width - Self.margin
        return """
            <rect class="band" x="\(left)" y="\(y - 10)" width="\(max(2, right - left))" height="20"/>\
            <path class="due" d="M\(x(due)) \(y - 10)v20"/>
            """
    }

    private func wait(_ attempt: RetryChain.Attempt, _ y: Double) -> Markup {
        if attempt.isAwaited {
            let end = x(chain.watched ?? 0)
            return """
                <path class="silence" d="M\(Self.label) \(y)H\(end)"/>\
                \(ChainDrawing.shape(attempt.judged, attempt.due.map { x($0) } ?? end, y))
                """
        }
        let end = x(attempt.waited ?? 0)
        return "<path class=\"line\" d=\"M\(Self.label) \(y)H\(end)\"/>\(Self.shape(attempt.judged, end, y))"
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
