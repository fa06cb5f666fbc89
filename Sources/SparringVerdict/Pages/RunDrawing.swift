/// The whole run over time: a row for each lane, and what struck all of them as upright lines.
struct RunDrawing {
    /// The height of a lane, which the page's style uses too: the names of the rows stand beside the drawing, which scrolls.
    static let rowHeight = 44.0
    private static let margin = 14.0
    /// Above the time axis' line; where there are faults or clock moves, with room for their words.
    private var axisY: Double { uprightItems.isEmpty ? 34 : 78 }
    /// Above the first lane.
    var head: Double { axisY + 10 }

    private static let manyUprights = 40

    let lanes: [String]
    private let byLane: [String: [TimelineItem]]
    private let uprightItems: [TimelineItem]
    let report: VerdictReport
    private let axis: TimeAxis
    /// Entries that evidence leads to.
    private let linked: Set<Int>
    /// Entries that the verdicts count against the client.
    let accused: Set<Int>
    /// Begins the ids of entries.
    private let prefix: String

    init(_ report: VerdictReport, linked: Set<Int>, prefix: String = "") {
        self.report = report
        self.prefix = prefix
        self.linked = linked
        accused = report.accused
        uprightItems = report.timeline.filter(\.isUpright)
        byLane = Dictionary(grouping: report.timeline.filter { !$0.isUpright }, by: \.lane)
        lanes = byLane.sorted { ($0.value[0].entry, $0.key) < ($1.value[0].entry, $1.key) }.map(\.key)
        let instants = report.timeline.flatMap { [$0.begin, $0.end] }
        let begin = min(0, instants.min() ?? 0)
        let end = max(report.watched, instants.max() ?? 0, begin + 0.001)
        let crowd = byLane.values.map(\.count).max() ?? 0
        axis = TimeAxis(begin...end, width: min(max(1050, Double(crowd) * 14), 5000), instants: instants)
    }

    private var width: Double { axis.width + 2 * Self.margin }
    private func x(_ seconds: Double) -> Double { Self.margin + axis.x(seconds) }
    private func top(_ row: Int) -> Double { head + Double(row) * Self.rowHeight }

    var svg: Markup {
        let height = top(lanes.count) + 6
        return """
            <svg class="run" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">\
            <title>\("What happened, by lane, in \(report.watched.span)")</title>
            \(ground(height))\(uprights(height))\(lanes.indices.map(row))</svg>
            """
    }

    /// Ticks, breaks and what parts the rows.
    private func ground(_ height: Double) -> Markup {
        var out = Markup.none
        for row in lanes.indices { out += "<path class=\"grid\" d=\"M0 \(top(row))H\(width)\"/>" }
        for piece in axis.pieces where piece.isBreak {
            let x = Self.margin + piece.x
            let words = (piece.times.upperBound - piece.times.lowerBound).span
            out += """
                <g><title>\("nothing happened for \(words)")</title>\
                <rect class="break" x="\(x + 4)" y="\(axisY - 30)" width="\(piece.width - 8)" height="\(height - axisY + 30)"/>\
                <text class="tick" x="\(x + piece.width / 2)" y="\(axisY - 19)">\(words)</text></g>
                """
        }
        for tick in axis.ticks {
            let x = Self.margin + tick.x
            out += """
                <path class="grid" d="M\(x) \(axisY)V\(height)"/><text class="tick" x="\(x)" y="\(axisY - 5)">\(tick.words)</text>
                """
        }
        out += "<path class=\"line\" d=\"M0 \(axisY)H\(width)\"/>"
        return out
    }

    /// Faults and moves of the clock, with their words where there is room. Many do not run through the lanes, which would hide these.
    private func uprights(_ height: Double) -> Markup {
        let bottom = uprightItems.count > Self.manyUprights ? axisY - 32 : height
        var out = Markup.none
        var labels = Markup.none
        var rows = LabelRows(3, width: width)
        for item in uprightItems {
            let x = x(item.begin)
            let words = "\(item.kind.rawValue): \(item.what)"
            let title = "entry \(item.entry) at \(axis.words(item.begin)): \(words)"
            out += """
                <g class="\(item.kind.rawValue)"\(anchor(item))><title>\(title)</title>\
                <path d="M\(x) 2V\(bottom)"/></g>

                """
            let label = words.clipped(to: 60)
            guard let place = rows.place(label, at: x + 4) else { continue }
            labels += """
                <text class="\(item.kind.rawValue)" x="\(place.x)" y="\(13 + Double(place.row) * 14)">\(label)</text>

                """
        }
        out += labels
        return out
    }

    private func row(_ row: Int) -> Markup {
        let items = byLane[lanes[row]] ?? []
        let top = top(row)
        var out = sockets(items, top)
        var faults = LabelRows(1, width: width)
        var marks = LabelRows(1, width: width)
        for item in items {
            let x = x(item.begin)
            out += "<g class=\"\(item.kind.rawValue)\"\(anchor(item))><title>\(title(item))</title>\(mark(item, top))"
            if accused.contains(item.entry) {
                out += "<rect class=\"accused\" x=\"\(x - 4)\" y=\"\(top + 11)\" width=\"\(length(item) + 8)\" height=\"20\"/>"
            }
            let struck = item.faults.map { "#\($0)" }.joined(separator: " ")
            if !struck.isEmpty, let place = faults.place(struck, at: x) {
                out += "<text x=\"\(place.x)\" y=\"\(top + 9)\">\(struck)</text>"
            }
            let told = item.kind == .mark ? item.what.clipped(to: 32) : ""
            if !told.isEmpty, let place = marks.place(told, at: x - 5) {
                out += "<text x=\"\(place.x)\" y=\"\(top + 41)\">\(told)</text>"
            }
            out += "</g>\n"
        }
        return out
    }

    /// From the opening of each to its closing; to the end where none comes.
    private func sockets(_ items: [TimelineItem], _ top: Double) -> Markup {
        var out = Markup.none
        var open: [TimelineItem] = []
        func bar(_ from: TimelineItem, _ to: Double) {
            out += "<path class=\"socket\" d=\"M\(x(from.begin)) \(top + 31)H\(x(to))\"/>"
        }
        for item in items {
            if item.kind == .opened { open.append(item) }
            if item.kind == .closed, let place = open.firstIndex(where: { $0.socket == item.socket }) {
                bar(open.remove(at: place), item.begin)
            }
        }
        for item in open { bar(item, axis.times.upperBound) }
        return out
    }

    private func length(_ item: TimelineItem) -> Double { max(5, x(item.end) - x(item.begin)) }

    /// The height says what the colour does.
    private func mark(_ item: TimelineItem, _ top: Double) -> Markup {
        let x = x(item.begin)
        let width = length(item)
        return switch item.kind {
        case .success, .opened: "<rect x=\"\(x)\" y=\"\(top + 17)\" width=\"\(width)\" height=\"8\"/>"
        case .failure: "<rect x=\"\(x)\" y=\"\(top + 14)\" width=\"\(width)\" height=\"14\"/>"
        case .lost: "<rect x=\"\(x + 0.5)\" y=\"\(top + 14.5)\" width=\"\(width - 1)\" height=\"13\"/>"
        case .notification: "<path d=\"M\(x) \(top + 18)v6\"/>"
        case .closed: "<path d=\"M\(x) \(top + 24)v11\"/>"
        case .mark: "<path d=\"M\(x) \(top + 15)l5 6l-5 6l-5 -6z\"/>"
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

    private func anchor(_ item: TimelineItem) -> Markup { linked.contains(item.entry) ? " id=\"\("\(prefix)e\(item.entry)")\"" : .none }
}
