import SparringJSON
import Testing

@testable import SparringVerdict

/// A circumstance that a run may have beside the subject of a rule.
enum Circumstance: String, CaseIterable, Sendable {
    case breaks, keeps
    case excused = "an excuse"
    case otherMark = "another mark"
    case othersExcuse = "somebody else's excuse"
    case otherPerson = "somebody else does it"
    case noMarks = "no marks"
    case twoDevices = "two devices"
    case otherPlatform = "another platform"
    case forced = "forced by a fault"
    case tried = "tried often enough"
    case atOnce = "twice at once"
    case frozen = "a clock that stands"
    case machine = "the machine's clock"
    case restart = "the server restarts"
    case ends = "the run ends"

    var says: String {
        switch self {
        case .breaks: "the client breaks the rule, in each way that its declaration has"
        case .keeps: "it keeps the rule"
        case .excused:
            "what the declaration names as an excuse happens just before the rule would be broken: each mark, and each of the events"
        case .otherMark: "each of the vendor's other marks comes then"
        case .othersExcuse: "another user's mark comes then"
        case .otherPerson: "another user does what keeps the rule, or the last thing that breaks it"
        case .noMarks: "the client reports no marks"
        case .twoDevices: "marks name two devices of the user"
        case .otherPlatform: "the client is of a platform that the rule is not about"
        case .forced: "a fault forced the answer"
        case .tried: "the client tried as often as it must before it gives up"
        case .atOnce: "what begins the rule happens twice at the same time, and once what keeps it"
        case .frozen: "the sandbox's clock stands, and the run is judged by it"
        case .machine: "the run is judged on the machine's clock: it is broken, and kept"
        case .restart: "the server restarts between what begins the rule and what breaks or keeps it"
        case .ends: "the run ends before anything is decided"
        }
    }
}

/// A run that shows a rule in a circumstance.
struct Cell: Sendable, CustomTestStringConvertible {
    enum Expected: String, Sendable {
        case broken, kept
        /// Whatever is said, it is not held against the client.
        case free
    }

    var rule: Rule
    var circumstance: Circumstance
    /// The variant, of several in one circumstance, such as the mark.
    var variant = ""
    var events: [SampleEvent]
    var end: Double
    var expected: Expected
    var basis = TimeBasis.sandbox
    var isFrozen = false
    var platform: String?

    var testDescription: String { "\(rule.qualifiedName): \(circumstance.rawValue)\(variant.isEmpty ? "" : " (\(variant))")" }
}

/// The cells of a rule.
struct Cells {
    let rule: Rule
    let form: JSON
    let plot: Plot
    /// All marks of the vendor.
    let marks: [String]
    /// The vendor's platforms.
    let platforms: [String]
    let samples: SampleEvents

    private static let neutral = SampleEvent(kind: .mark, name: "note", time: 0.5)

    var all: [Cell] {
        let wrong = plot.wrong[0]
        var cells = plot.wrong.indices.map { cell(.breaks, variant: plot.wrong.count > 1 ? "\($0 + 1)" : "", plot.wrong[$0], .broken) }
        if !plot.right.isEmpty { cells.append(cell(.keeps, plot.right, .kept)) }
        if let pivot = plot.pivot { cells += atThePivot(pivot, wrong) }
        cells.append(cell(.noMarks, wrong, plot.needsMarks ? .free : .broken, without: true))
        cells += people(wrong)
        if let platform = otherPlatform {
            var other = cell(.otherPlatform, wrong, .free)
            other.platform = platform
            cells.append(other)
        }
        if plot.mayBeForced {
            var forced = wrong
            for index in forced.indices { forced[index].isStruck = true }
            cells.append(cell(.forced, forced, .free))
        }
        return cells + clocks(wrong) + repetitions
    }

    private func cell(
        _ circumstance: Circumstance, variant: String = "", _ events: [SampleEvent], _ expected: Cell.Expected, without: Bool = false
    ) -> Cell {
        let all = (without ? [] : [Self.neutral]) + plot.before + events
        // Events of the same time keep their order, and long calls come where they end.
        let ordered = all.enumerated().sorted { ($0.element.told, $0.offset) < ($1.element.told, $1.offset) }.map(\.element)
        return Cell(
            rule: rule, circumstance: circumstance, variant: variant, events: ordered, end: plot.end, expected: expected,
            platform: rule.platforms.first)
    }

    // MARK: Excuses

    /// The marks that the rule is about, whether or not they excuse anything.
    private var own: Set<String> { Set(Self.marks(in: form)) }

    private static func marks(in json: JSON) -> [String] {
        let here = json["mark"].map { SampleEvents.texts($0) } ?? []
        return here + (json.object?.values.flatMap { marks(in: $0) } ?? json.array?.flatMap { marks(in: $0) } ?? [])
    }

    private func atThePivot(_ pivot: Double, _ wrong: [SampleEvent]) -> [Cell] {
        var cells: [Cell] = []
        for excuse in plot.excuses {
            if excuse["mark"] != nil {
                for name in SampleEvents.texts(excuse["mark"]) {
                    var mark = excuse.object ?? [:]
                    (mark["mark"], mark["of"]) = (.string(name), nil)
                    guard let event = samples.event(.object(mark), at: pivot) else { continue }
                    cells.append(cell(.excused, variant: name, wrong + [event], .free))
                    guard plot.scope != .sandbox, !plot.needsMarks else { continue }
                    var others = event
                    others.lane = SampleEvent.somebodyElse
                    cells.append(cell(.othersExcuse, variant: name, wrong + [others], .broken))
                }
            } else if let event = samples.event(excuse, at: pivot) {
                cells.append(cell(.excused, variant: event.name, wrong + [event], .free))
            }
        }
        for name in marks where !own.contains(name) {
            let mark = SampleEvent(kind: .mark, name: name, time: pivot)
            cells.append(cell(.otherMark, variant: name, wrong + [mark], .broken))
        }
        return cells
    }

    // MARK: Others

    private func people(_ wrong: [SampleEvent]) -> [Cell] {
        var cells: [Cell] = []
        let kind = rule.kind
        if plot.isOmission, plot.scope != .sandbox, kind != "sockets", var done = plot.right.last, done.kind != .connection {
            done.lane = SampleEvent.somebodyElse
            if done.socket != nil { done.socket = 9 }
            cells.append(cell(.otherPerson, wrong + [done], .broken))
        } else if !plot.isOmission, plot.scope != .sandbox, wrong.count > 1,
            !["tells", "cleanLogout", "freshCredential", "retry"].contains(kind)
        {
            var others = wrong
            others[others.count - 1].lane = SampleEvent.somebodyElse
            cells.append(cell(.otherPerson, others, .free))
        }
        let devices = ["phone", "tablet"].map { name in
            SampleEvent(kind: .mark, name: "note", time: 0.6, details: ["device": name])
        }
        cells.append(cell(.twoDevices, devices + wrong, plot.needsOneDevice ? .free : .broken))
        return cells
    }

    private var otherPlatform: String? {
        rule.platforms.isEmpty ? nil : platforms.first { !rule.platforms.contains($0) }
    }

    // MARK: Time

    private func clocks(_ wrong: [SampleEvent]) -> [Cell] {
        var frozen = cell(.frozen, wrong, plot.isOmission || plot.takesTime ? .free : .broken)
        frozen.isFrozen = true
        var cells = [frozen]
        for (events, expected) in [(wrong, Cell.Expected.broken), (plot.right, .kept)] where !events.isEmpty {
            var machine = cell(.machine, variant: expected.rawValue, events, expected)
            machine.basis = .wall
            cells.append(machine)
            guard let pivot = plot.pivot, !["reconnect", "sockets", "oneAtATime"].contains(rule.kind) else { continue }
            var later = events
            for index in later.indices where later[index].time > pivot { later[index].process = 2 }
            cells.append(cell(.restart, variant: expected.rawValue, later, expected))
        }
        if plot.isOmission, let pivot = plot.pivot {
            var ended = cell(.ends, wrong, .free)
            ended.end = pivot
            cells.append(ended)
        }
        return cells
    }

    private var repetitions: [Cell] {
        var cells: [Cell] = []
        if plot.isOmission, rule.kind != "sockets", rule.kind != "reconnect", let last = plot.wrong[0].last {
            var again = last
            again.time += 0.01
            cells.append(cell(.atOnce, [again] + plot.right, .free))
        }
        if let most = form["most"]?.integer(in: 1...1000), plot.isOmission, let last = plot.wrong[0].last {
            let tries = (1...most).map { index in
                var again = last
                again.time += Double(index) * 3
                return again
            }
            cells.append(cell(.tried, plot.wrong[0] + tries, .free))
        }
        return cells
    }
}

extension SampleEvent {
    /// When it reaches the journal.
    var told: Double { kind == .call || kind == .vendorCall ? time + took : time }
}
