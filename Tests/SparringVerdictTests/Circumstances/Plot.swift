import SparringJSON
import SparringJournal

@testable import SparringVerdict

/// A rule, and the shortest runs that show what it asks for.
struct Plot: Sendable {
    /// The events that must have happened before.
    var before: [SampleEvent] = []
    /// The events by which a client breaks the rule, in each of the ways that there are.
    var wrong: [[SampleEvent]] = []
    /// The events by which a client keeps it.
    var right: [SampleEvent] = []
    /// Between what begins the rule and what breaks it: what happens then may excuse the client.
    var pivot: Double?
    /// How long the run is watched, in seconds.
    var end = 2000.0
    /// The excuses of the client at ``pivot``, as the rule declares them.
    var excuses: [JSON] = []
    /// The client breaks the rule by what it leaves undone.
    var isOmission = false
    /// It is broken only once some time has passed.
    var takesTime = false
    var scope = Scope.lane
    /// Why a client that reports no marks, or has several devices, is not judged.
    var needsMarks = false, needsOneDevice = false
    /// A failed call begins it that a fault may have forced, which says nothing about the client.
    var mayBeForced = false
}

/// Reads the plot of a rule from its declaration.
struct Plots {
    let samples: SampleEvents

    /// Nil where none can be made.
    func plot(_ kind: String, _ form: JSON) -> Plot? {
        var plot: Plot?
        switch kind {
        case "within", "eventually": plot = following(form)
        case "stops": plot = stopping(form)
        case "never": plot = never(form)
        case "order": plot = order(form)
        case "once": plot = once(form)
        case "noReuse": plot = noReuse(form)
        case "freshCredential": plot = freshCredential(form)
        case "rate": plot = rate(form)
        case "oneAtATime": plot = oneAtATime(form)
        case "retry": plot = retry(form)
        case "reconnect": plot = reconnect(form)
        case "sockets": plot = sockets(form)
        case "ascending": plot = ascending(form)
        case "tells": plot = tells(form)
        case "cleanLogout": plot = cleanLogout(form)
        default: plot = nil
        }
        plot?.scope = form["per"]?.string.flatMap { Scope(rawValue: $0) } ?? .lane
        return plot
    }

    static func list(_ json: JSON?) -> [JSON] {
        guard let json else { return [] }
        if let array = json.array, array.contains(where: { $0.object != nil }) { return array }
        return [json]
    }

    static func seconds(_ json: JSON?) -> Double? {
        json?.string.flatMap { Duration(text: $0) }.map { Double($0.milliseconds) / 1000 }
    }

    static func count(_ json: JSON?, or standard: Int) -> Int { json?.integer(in: 1...1000) ?? standard }

    /// The same text in all of these places.
    static func values(_ places: JSON?, _ text: String) -> [String: String] {
        Dictionary(SampleEvents.texts(places).map { ($0, text) }) { first, _ in first }
    }

    /// One event for each selector, one after the other; nil where one cannot be made.
    func events(_ selectors: [JSON], from time: Double, with values: [String: String] = [:]) -> [SampleEvent]? {
        var events: [SampleEvent] = []
        for (index, selector) in selectors.enumerated() {
            guard let event = samples.event(selector, at: time + Double(index), with: values) else { return nil }
            events.append(event)
        }
        return events
    }

    // MARK: Something is owed

    private func following(_ form: JSON) -> Plot? {
        let (times, same) = (Self.count(form["times"], or: 1), Self.values(form["same"], "7"))
        let within = Self.seconds(form["within"]) ?? 60
        guard let given = events(Self.list(form["given"]) + Self.list(form["since"]), from: 1) else { return nil }
        var values = same
        if let differs = form["differs"] { values.merge(Self.values(differs["after"], "9")) { $1 } }
        if let covers = form["covers"] { values.merge(Self.values(covers["lost"], "3")) { $1 } }
        var begin: [SampleEvent] = []
        for index in 0..<times {
            guard let event = samples.event(form["after"] ?? [:], at: 20 + Double(index), with: values) else { return nil }
            begin.append(event)
        }
        let last = 20 + Double(times - 1)
        var coming = same
        if let differs = form["differs"] { coming.merge(Self.values(differs["comes"], "8")) { $1 } }
        if let covers = form["covers"] { coming.merge(Self.values(covers["asks"], "3")) { $1 } }
        let wait = max(Self.seconds(form["atLeast"]) ?? 0, 0) + min(0.5, within / 4)
        guard var come = samples.event(form["comes"] ?? [:], at: last + 0.2 + wait, with: coming) else { return nil }
        if come.kind == .gaveUp || come.kind == .connection, let first = begin.first {
            (come.name, come.lane) = (come.kind == .gaveUp ? first.name : come.name, first.lane)
        }
        var plot = Plot(before: given, wrong: [begin], right: begin + [come], pivot: last + 0.15, isOmission: true)
        plot.excuses = Self.list(form["unless"]) + Self.list(form["gaveUp"]) + Self.list(form["instead"])
        plot.needsMarks = come.kind == .mark && !(given + begin).contains { $0.kind == .mark }
        return plot
    }

    private func reconnect(_ form: JSON) -> Plot? {
        let opening: JSON = ["calls": form["of"] ?? [:], "answered": "ok"]
        let at = SampleEvents.texts(form["at"]).filter { $0.hasPrefix("header:") }.map { ($0, "secret") }
        let credential = Dictionary(at) { first, _ in first }
        guard let open = samples.event(opening, at: 1, with: credential), let end = samples.event(form["after"] ?? [:], at: 20),
            var again = samples.event(opening, at: 24, with: credential)
        else { return nil }
        again.socket = 2
        var (before, right) = ([open], [end, again])
        if let resubscribes = form["resubscribes"] {
            let subscription: JSON = ["calls": resubscribes, "answered": "ok"]
            guard let first = samples.event(subscription, at: 2), let second = samples.event(subscription, at: 25) else { return nil }
            before.append(first)
            right.append(second)
        }
        var plot = Plot(before: before, wrong: [[end]], right: right, pivot: 21, isOmission: true)
        plot.excuses = Self.list(form["unless"]) + Self.list(form["instead"])
        return plot
    }

    private func retry(_ form: JSON) -> Plot? {
        let reason = SampleEvents.texts(form["after"]).first ?? "unavailable"
        let values = Self.values(form["same"], "7")
        guard var first = samples.event(["calls": form["of"] ?? [:], "answered": .string(reason)], at: 20, with: values) else { return nil }
        let schedules = form["schedule"]?.array ?? []
        let schedule = schedules.first?.array ?? schedules
        var delay = Self.seconds(schedule.first) ?? 0
        if schedule.isEmpty {
            delay = 30
            first.retryAfter = 30
        }
        var again = first
        (again.time, again.status, again.outcome, again.answer, again.retryAfter) = (20.1 + delay * 0.1, 200, "ok", nil, nil)
        var right = again
        right.time = 20.1 + delay * 1.05
        var plot = Plot(wrong: [[first, again]], right: [first, right], pivot: 20.1 + delay * 0.05)
        plot.excuses = Self.list(form["unless"]).filter { excuse in
            excuse["of"].map { SampleEvents.texts($0).contains(first.name) } ?? true
        }
        return plot
    }

    // MARK: Something is left alone

    private func stopping(_ form: JSON) -> Plot? {
        let times = Self.count(form["times"], or: 1)
        let (values, pause) = (Self.values(form["same"], "7"), Self.seconds(form["pause"]) ?? 60)
        var begin: [SampleEvent] = []
        for index in 0..<times {
            guard var event = samples.event(form["after"] ?? [:], at: 20 + Double(index) * 0.2, with: values) else { return nil }
            if let slower = Self.seconds(form["slower"]) { event.took = slower + 5 }
            begin.append(event)
        }
        // What ends the pause is no breach of it.
        let endings = Set(Self.list(form["until"]).flatMap { SampleEvents.texts($0["calls"] ?? $0) })
        guard let last = begin.last, var more = samples.event(form["calls"] ?? [:], at: 0, with: values, besides: endings) else {
            return nil
        }
        let stopped = last.time + (last.kind == .call || last.kind == .vendorCall ? last.took : 0)
        more.time = stopped + min(1, pause / 2)
        if more.kind == .socketEnd { more.socket = last.socket ?? 1 }
        var plot = Plot(wrong: [begin + [more]], right: begin, pivot: stopped + min(0.5, pause / 4))
        plot.excuses = Self.list(form["until"]) + Self.list(form["unless"]) + Self.list(form["gaveUp"])
        plot.needsOneDevice = form["oneDevice"]?.bool == true
        plot.needsMarks = form["unless"]?["mark"] != nil
        plot.takesTime = form["slower"] != nil
        return plot
    }

    private func never(_ form: JSON) -> Plot? {
        guard let given = events(Self.list(form["given"]), from: 1) else { return nil }
        let ways = Self.list(form["event"])
        let wrong = ways.compactMap { samples.event($0, at: 30) }.map { [$0] }
        guard wrong.count == ways.count else { return nil }
        // What a breach leaves out is there, and the mark is another.
        let present = ways.flatMap { SampleEvents.texts($0["without"]) }.map { ($0, "1") }
        let breaches = Set(ways.flatMap { SampleEvents.texts($0["mark"]) })
        var exercise = (Self.list(form["of"]) + Self.list(form["always"])).first
        // What must not be taken is refused.
        if ways.contains(where: { SampleEvents.texts($0["answered"]) == ["ok"] }), var members = exercise?.object {
            members["answered"] = "failed"
            exercise = .object(members)
        }
        let right = exercise.flatMap {
            samples.event($0, at: 30, with: Dictionary(present) { first, _ in first }, besides: present.isEmpty ? breaches : [])
        }
        var plot = Plot(before: given, wrong: wrong, right: right.map { [$0] } ?? [], pivot: 25)
        plot.excuses = Self.list(form["until"]) + Self.list(form["allowedBy"])
        (plot.needsOneDevice, plot.needsMarks) = (form["oneDevice"]?.bool == true, form["marked"]?.bool == true)
        plot.mayBeForced = ways.allSatisfy { $0["answered"] != nil && $0["effect"] == nil && $0["struck"] == nil }
        return plot
    }

    private func order(_ form: JSON) -> Plot? {
        guard let given = events(Self.list(form["given"]), from: 1) else { return nil }
        let values = Self.values(form["same"], "7"), older = Self.values(form["same"], "6")
        guard let first = samples.event(form["first"] ?? [:], at: 20, with: values),
            let then = samples.event(form["then"] ?? [:], at: 25, with: values)
        else { return nil }
        var before = given + Self.list(form["since"]).compactMap { samples.event($0, at: 10) }
        if form["firstMayBeOlder"]?.bool == true, let known = samples.event(form["then"] ?? [:], at: 5, with: older) {
            before.append(known)
        }
        var late = first
        late.time = 30
        let isBoth = form["both"]?.bool == true
        var plot = Plot(before: before, wrong: [isBoth ? [then, late] : [then]], right: [first, then], pivot: isBoth ? 27 : nil)
        plot.excuses = Self.list(form["until"])
        return plot
    }

    private func once(_ form: JSON) -> Plot? {
        let most = Self.count(form["most"], or: 1) + (form["spare"]?.integer(in: 0...1000) ?? 0)
        var all: [SampleEvent] = []
        for index in 0...most {
            let unlike = Self.values(form["unlike"], "\(index)")
            let values = Self.values(form["same"], "7").merging(unlike) { $1 }
            guard let event = samples.event(form["event"] ?? [:], at: 20 + Double(index), with: values) else { return nil }
            all.append(event)
        }
        let each = Self.list(form["each"])
        let before = form["saved"]?.bool == true ? each.prefix(1).compactMap { samples.event($0, at: 10) } : []
        var plot = Plot(before: before, wrong: [all], right: Array(all.prefix(1)), pivot: all[most].time - 0.5)
        plot.excuses = each
        return plot
    }

    private func rate(_ form: JSON) -> Plot? {
        let most = Self.count(form["most"], or: 1), span = Self.seconds(form["in"]) ?? 1
        var storm: [SampleEvent] = []
        for index in 0...most {
            guard let event = samples.event(form["event"] ?? [:], at: 20 + Double(index) * span / Double(most + 2)) else { return nil }
            storm.append(event)
        }
        var plot = Plot(wrong: [storm], right: Array(storm.prefix(2)))
        plot.needsOneDevice = ["lane", nil].contains(form["per"]?.string)
        return plot
    }

    private func oneAtATime(_ form: JSON) -> Plot? {
        guard var long = samples.event(form["calls"] ?? [:], at: 20) else { return nil }
        var second = long
        long.took = 10
        second.time = 22
        var later = second
        later.time = 32
        // The journal has calls in the order in which they ended.
        var plot = Plot(wrong: [[second, long]], right: [long, later], pivot: 21)
        plot.excuses = Self.list(form["until"])
        plot.needsMarks = form["marked"]?.bool == true
        plot.needsOneDevice = !["sandbox", "device"].contains(form["per"]?.string)
        return plot
    }
}
