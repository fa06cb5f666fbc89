/// The whole run over time: a row for each lane, and what struck all of them as upright lines.
struct RunDrawing {
    /// Of lanes and of the page's style: the names of the rows stand beside the drawing, which scrolls.
    static let rowHeight = 36.0
    static let headHeight = 74.0
    private static let margin = 14.0
    /// Of the time axis' line, below the words of faults and clock moves.
    private static let axisY = 64.0

    let lanes: [String]
    private let report: VerdictReport
    private let axis: TimeAxis
    /// Entries that evidence leads to.
    private let linked: Set<Int>
    /// Entries that the verdicts count against the client.
    private let accused: Set<Int>

    init(_ report: VerdictReport, linked: Set<Int>) {
        self.report = report
        self.linked = linked
        accused = report.accused
        var lanes: [String] = []
        var known: Set<String> = []
        for item in report.timeline where !item.isUpright && known.insert(item.lane).inserted { lanes.append(item.lane) }
        self.lanes = lanes
        let instants = report.timeline.flatMap { [$0.begin, $0.end] }
        let begin = min(0, instants.min() ?? 0)
        let end = max(report.watched, instants.max() ?? 0, begin + 0.001)
        let crowd = Dictionary(grouping: report.timeline, by: \.lane).values.map(\.count).max() ?? 0
        axis = TimeAxis(begin...end, width: min(max(920, Double(crowd) * 14), 5000), instants: instants)
    }

    private func x(_ seconds: Double) -> Double { Self.margin + axis.x(seconds) }
    private func top(_ row: Int) -> Double { Self.headHeight + Double(row) * Self.rowHeight }

    var svg: Markup {
        let width = axis.width + 2 * Self.margin
        let height = top(lanes.count) + 6
        return """
            <svg class="run" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">\
            <title>\("What happened, by lane, in \(report.watched.seconds)")</title>
            \(ground(width, height))\(uprights(height))\(lanes.indices.map(row))</svg>
            """
    }

    /// Ticks, breaks and what parts the rows.
    private func ground(_ width: Double, _ height: Double) -> Markup {
        var out = Markup.none
        for row in lanes.indices { out += "<path class=\"grid\" d=\"M0 \(top(row))H\(width)\"/>" }
        for tick in axis.ticks {
            let x = Self.margin + tick.x
            out += """
                <path class="grid" d="M\(x) \(Self.axisY)V\(height)"/><text class="tick" x="\(x)" y="\(Self.axisY - 5)">\(tick.words)</text>
                """
        }
        for piece in axis.pieces where piece.isBreak {
            let x = Self.margin + piece.x
            let words = (piece.times.upperBound - piece.times.lowerBound).seconds
            out += """
                <g><title>\("nothing happened for \(words)")</title>\
                <rect class="break" x="\(x + 4)" y="\(Self.axisY - 17)" width="\(piece.width - 8)" height="\(height - Self.axisY + 17)"/>\
                <text class="tick" x="\(x + piece.width / 2)" y="\(Self.axisY - 5)">\(words)</text></g>
                """
        }
        out += "<path class=\"line\" d=\"M0 \(Self.axisY)H\(width)\"/>"
        return out
    }

    /// Faults and moves of the clock, with their words where there is room.
    private func uprights(_ height: Double) -> Markup {
        var out = Markup.none
        var rows = LabelRows(3)
        for item in report.timeline where item.isUpright {
            let x = x(item.begin)
            let words = "\(item.kind.rawValue): \(item.what)"
            out += """
                <g class="\(item.kind.rawValue)"\(anchor(item))><title>\("entry \(item.entry) at \(axis.words(item.begin)): \(words)")</title>\
                <path d="M\(x) 2V\(height)"/>
                """
            let label = words.clipped(to: 34)
            if let row = rows.place(label, at: x + 4) {
                out += "<text x=\"\(x + 4)\" y=\"\(13 + Double(row) * 14)\">\(label)</text>"
            }
            out += "</g>\n"
        }
        return out
    }

    private func row(_ row: Int) -> Markup {
        let items = report.timeline.filter { $0.lane == lanes[row] && !$0.isUpright }
        var out = sockets(items, top(row))
        var labels = LabelRows(1)
        for item in items {
            let box = mark(item, top(row))
            out += "<g class=\"\(item.kind.rawValue)\"\(anchor(item))><title>\(title(item))</title>\(box)"
            let x = x(item.begin)
            if accused.contains(item.entry) { out += "<path class=\"accused\" d=\"M\(x + 2.5) \(top(row) + 33)l-4 -5h8z\"/>" }
            let faults = item.faults.map { "#\($0)" }.joined(separator: " ")
            let label = item.kind == .mark ? item.what.clipped(to: 24) : faults
            if !label.isEmpty, labels.place(label, at: x) != nil { out += "<text x=\"\(x)\" y=\"\(top(row) + 10)\">\(label)</text>" }
            out += "</g>\n"
        }
        return out
    }

    /// From the opening of each to the closing that follows it in its lane; to the end where none does.
    private func sockets(_ items: [TimelineItem], _ top: Double) -> Markup {
        var out = Markup.none
        var open: [TimelineItem] = []
        func bar(_ from: TimelineItem, _ to: Double) {
            out += "<path class=\"socket\" d=\"M\(x(from.begin)) \(top + 26.5)H\(x(to))\"/>"
        }
        for item in items {
            if item.kind == .opened { open.append(item) }
            if item.kind == .closed, !open.isEmpty { bar(open.removeFirst(), item.begin) }
        }
        for item in open { bar(item, axis.times.upperBound) }
        return out
    }

    /// The height says what the colour does.
    private func mark(_ item: TimelineItem, _ top: Double) -> Markup {
        let x = x(item.begin)
        let width = max(5, self.x(item.end) - x)
        return switch item.kind {
        case .success, .opened: "<rect x=\"\(x)\" y=\"\(top + 15)\" width=\"\(width)\" height=\"8\"/>"
        case .failure: "<rect x=\"\(x)\" y=\"\(top + 12)\" width=\"\(width)\" height=\"14\"/>"
        case .lost: "<rect x=\"\(x + 0.5)\" y=\"\(top + 12.5)\" width=\"\(width - 1)\" height=\"13\"/>"
        case .notification: "<path d=\"M\(x) \(top + 16)v6\"/>"
        case .closed: "<path d=\"M\(x) \(top + 21)v11\"/>"
        case .mark: "<path d=\"M\(x) \(top + 13)l5 6l-5 6l-5 -6z\"/>"
        case .clock, .fault: .none
        }
    }

    private func title(_ item: TimelineItem) -> String {
        var words = "entry \(item.entry) at \(axis.words(item.begin)): \(item.what)"
        if let outcome = item.outcome { words += ", \(outcome)" }
        if item.end - item.begin >= 0.001 { words += ", took \((item.end - item.begin).seconds)" }
        if !item.faults.isEmpty { words += ", struck by fault \(item.faults.map(String.init).joined(separator: ", "))" }
        return words
    }

    private func anchor(_ item: TimelineItem) -> Markup { linked.contains(item.entry) ? " id=\"e\(item.entry)\"" : .none }
}
