import Testing

@testable import SparringVerdict

/// The positions of marks and words in a report's drawings.
@Suite struct ReportDrawingTests {
    @Test(
        arguments: [
            ("nothing happens", [], 60, []),
            ("even calls", Array(stride(from: 0.0, through: 60, by: 1)), 60, []),
            ("a doubling back-off", [0, 1, 3, 7, 15, 31], 62, []),
            ("a clock that is advanced by an hour", [0, 1, 2, 3602, 3603, 3604], 3605, [2.0...3602]),
            ("a clock that is advanced twice", [0, 1, 2, 602, 603, 4203, 4204], 4205, [2.0...602, 603...4203]),
            ("a long watch", [0, 1, 2, 3], 600, [3.0...600]),
            ("less than would be worth it", [0, 0.1], 600, []),
        ] as [(String, [Double], Double, [ClosedRange<Double>])])
    func `only long gaps beside short bursts are drawn as breaks`(
        name: String, instants: [Double], end: Double, breaks: [ClosedRange<Double>]
    ) {
        let axis = TimeAxis(0...end, width: 900, instants: instants)
        #expect(axis.pieces.filter(\.isBreak).map(\.times) == breaks)
        #expect(abs(axis.width - 900 - Double(breaks.count) * TimeAxis.breakWidth) < 0.001)
        let places = stride(from: 0.0, through: end, by: end / 500).map(axis.x)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "time runs to the right")
        #expect(axis.x(0) == 0 && abs(axis.x(end) - axis.width) < 0.001)
        #expect(axis.x(-5) == 0 && axis.x(end + 5) == axis.x(end), "what lies outside is drawn at the edge")
    }

    @Test(
        arguments: [
            (0.004, ["0 s", "0.001 s", "0.002 s", "0.003 s", "0.004 s"]),
            (1, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
            (16, ["0 s", "5 s", "10 s", "15 s"]),
            (240, ["0 s", "1:00", "2:00", "3:00", "4:00"]),
            (10_800, ["0 s", "1:00:00", "2:00:00", "3:00:00"]),
        ] as [(Double, [String])])
    func `ticks stand at round times`(end: Double, words: [String]) {
        #expect(TimeAxis(0...end, width: 400).ticks.map(\.words) == words)
    }

    @Test func `an axis of no time at all has one place`() {
        let axis = TimeAxis(0...0, width: 400, instants: [0])
        #expect(axis.x(0) == 0 && axis.ticks.map(\.words) == ["0 s"])
    }

    @Test func `words are placed in a free row, inside the drawing, or not at all`() {
        var rows = LabelRows(2, width: 100)
        let places = [("12345", 10.0), ("12345", 12), ("12345", 14), ("12345", 99), (String(repeating: "x", count: 40), 10)].map {
            rows.place($0, at: $1)
        }
        #expect(places.map { $0?.row } == [0, 1, nil, 0, nil])
        #expect(places.map { $0?.x.rounded() } == [10, 12, nil, 69, nil])
    }

    @Test func `a chain's drawing has a row for each attempt, from when the one before had failed, and a band where it was due`() throws {
        let root = try #require(ParsedElement.parse(ChainDrawing(ReportSample.chain).svg.text))
        func rows(_ name: String) -> [ParsedElement] { root.children.filter { $0.attributes["class"] == name } }
        for name in ["first", "good", "early", "missing"] { #expect(rows(name).count == 1, "\(name)") }
        #expect(
            rows("early").first?.all("title").first?.text
                == "attempt 3: entry 15, service-unavailable, early, due after 4.0 s (3.2 s to 6.0 s)")
        let bands = root.all("rect").filter { $0.attributes["class"] == "band" }
        #expect(bands.count == 3)
        #expect(root.all("text").map(\.text).contains("3 early"))
        // The longest is 12.4 s: the second waited 2.1 s, and was due after 1.6 s at the earliest.
        func x(_ seconds: Double) -> Double { 112 + seconds / (12.4 * 1.04) * (736 - 112 - 20) }
        let left = try #require(bands[0].attributes["x"].flatMap(Double.init))
        #expect(abs(left - x(1.6)) < 0.1)
        let mark = try #require(rows("good").first?.all("circle").first?.attributes["cx"].flatMap(Double.init))
        #expect(abs(mark - x(2.1)) < 0.1)
        // Each row lies below the one before.
        let heights = ["first", "good", "early", "missing"].compactMap {
            rows($0).first?.all("text").first?.attributes["y"].flatMap(Double.init)
        }
        #expect(heights == heights.sorted() && Set(heights).count == 4)
    }

    @Test(arguments: [([1.0, 2, 4, 8, 16], false), ([0.1, 60], true), ([], false), ([0], false), ([5, 5], false)] as [([Double], Bool)])
    func `waits of very different lengths are drawn by their logarithm`(waits: [Double], isLogarithmic: Bool) {
        let scale = ChainScale(waits, width: 600)
        #expect(scale.isLogarithmic == isLogarithmic)
        let places = waits.sorted().map { scale.x($0) }
        #expect(places == places.sorted() && places.allSatisfy { 0...600 ~= $0 })
        #expect(!scale.ticks.isEmpty && zip(scale.ticks, scale.ticks.dropFirst()).allSatisfy { scale.x($1) - scale.x($0) > 50 })
        if isLogarithmic { #expect(scale.x(0.2) - scale.x(0.1) > 20) }
    }

    @Test func `a socket is drawn from its opening to its closing, or to the end`() throws {
        let report = ReportSample.report(
            [],
            timeline: [
                ReportSample.item(1, .opened, at: 0), ReportSample.item(2, .closed, at: 10), ReportSample.item(3, .opened, at: 12),
                ReportSample.item(4, .opened, lane: "bob", at: 20), ReportSample.item(5, .fault, lane: "", "away", at: 30),
            ], watched: 40)
        let drawing = RunDrawing(report, linked: [])
        #expect(drawing.lanes == ["alice", "bob"])
        let root = try #require(ParsedElement.parse(drawing.svg.text))
        let bars = root.all("path").filter { $0.attributes["class"] == "socket" }.compactMap { $0.attributes["d"] }
        func x(_ seconds: Double) -> String { (14 + seconds / 40 * 1050).rounded(to: 1) }
        #expect(bars.map { $0.hasPrefix("M") }.count == 3)
        for (bar, times) in zip(bars, [(0.0, 10.0), (12, 40), (20, 40)]) {
            #expect(bar.hasPrefix("M\(x(times.0)) ") && bar.hasSuffix("H\(x(times.1))"), "\(bar)")
        }
        #expect(root.all("text").map(\.text).contains("fault: away"))
    }

    @Test func `what counts against the client is framed, and faults are marked on what they struck`() throws {
        let report = ReportSample.report(
            [ReportSample.failed],
            timeline: [
                ReportSample.item(12, .failure, faults: [3], at: 1), ReportSample.item(15, .failure, faults: [3, 4], at: 9),
            ], watched: 10)
        let root = try #require(ParsedElement.parse(RunDrawing(report, linked: [15]).svg.text))
        let marks = root.children.filter { $0.attributes["class"] == "failure" }
        #expect(marks.map { $0.all("rect").contains { $0.attributes["class"] == "accused" } } == [false, true])
        #expect(marks.map { $0.all("text").map(\.text) } == [["#3"], ["#3 #4"]])
        #expect(marks.map { $0.attributes["id"] } == [nil, "e15"])
        #expect(marks[1].all("title").first?.text == "entry 15 at 9 s: liveperson.login, struck by fault 3, 4")
    }
}
