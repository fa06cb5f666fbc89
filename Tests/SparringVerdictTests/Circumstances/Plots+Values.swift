import SparringJSON

/// Rules about values: credentials, sockets, what a mark has.
extension Plots {
    func noReuse(_ form: JSON) -> Plot? {
        let values = Self.values(form["credential"], "7")
        let (one, other) = (Self.values(form["unlike"], "1"), Self.values(form["unlike"], "2"))
        let use = form["after"] ?? form["of"] ?? [:]
        guard let first = samples.event(use, at: 20, with: values.merging(one) { $1 }),
            let again = samples.event(form["of"] ?? [:], at: 25, with: values.merging(other) { $1 }),
            let another = samples.event(form["of"] ?? [:], at: 25, with: Self.values(form["credential"], "8"))
        else { return nil }
        return Plot(wrong: [[first, again]], right: [first, another])
    }

    func freshCredential(_ form: JSON) -> Plot? {
        guard let brought = SampleEvents.texts(form["credential"]).first else { return nil }
        let held = SampleEvents.texts(form["held"]).first ?? brought
        let calls: JSON = ["calls": form["of"] ?? [:]]
        let failures = Self.list(form["after"])
        var ways: [[SampleEvent]] = []
        var right: [SampleEvent] = []
        for failure in failures {
            let isCall = failure["calls"] != nil
            let place = isCall ? brought : held
            guard let used = samples.event(calls, at: 20, with: [place: "7"]),
                let failed = samples.event(failure, at: 25, with: isCall ? [place: "7"] : [:]),
                let again = samples.event(calls, at: 30, with: [place: "7"]), let other = samples.event(calls, at: 30, with: [place: "8"])
            else { return nil }
            ways.append(isCall ? [failed, again] : [used, failed, again])
            right = isCall ? [failed, other] : [used, failed, other]
        }
        var plot = Plot(wrong: ways, right: right, pivot: 27)
        plot.excuses = Self.list(form["reset"])
        return plot
    }

    func sockets(_ form: JSON) -> Plot? {
        let opening: JSON = ["calls": form["of"] ?? [:], "answered": "ok"]
        let place = SampleEvents.texts(form["credential"]).first { !$0.hasPrefix("body:") }
        let isSingle = form["single"]?.bool == true
        guard let open = samples.event(opening, at: 20, with: place.map { [$0: "7"] } ?? [:]) else { return nil }
        var end = SampleEvent(kind: .socketEnd, name: open.name, time: 27, socket: 1)
        end.by = "client"
        guard let after = form["after"] else {
            guard var second = samples.event(opening, at: 25, with: place.map { [$0: isSingle ? "8" : "7"] } ?? [:]) else { return nil }
            second.socket = 2
            var plot = Plot(wrong: [[open, second]], right: [open])
            (plot.needsMarks, plot.takesTime) = (isSingle, true)
            plot.needsOneDevice = true
            return plot
        }
        guard let leaving = samples.event(after, at: 25) else { return nil }
        var plot = Plot(wrong: [[open, leaving]], right: [open, leaving, end], pivot: 26, isOmission: true)
        plot.excuses = Self.list(form["until"]) + Self.list(form["reset"])
        plot.needsOneDevice = true
        return plot
    }

    func ascending(_ form: JSON) -> Plot? {
        let same = Self.values(form["same"], "7")
        func event(_ value: String, _ time: Double) -> SampleEvent? {
            samples.event(form["event"] ?? [:], at: time, with: same.merging(Self.values(form["value"], value)) { $1 })
        }
        guard let first = event("5", 20), let less = event("4", 25), let more = event("6", 25) else { return nil }
        var plot = Plot(wrong: [[first, less]], right: [first, more], pivot: 22)
        plot.excuses = Self.list(form["until"])
        return plot
    }

    func tells(_ form: JSON) -> Plot? {
        guard let source = Self.list(form["from"]).first(where: { $0["value"] != nil }),
            let place = SampleEvents.texts(source["value"]).first,
            let told = samples.event(source["event"] ?? [:], at: 20, with: [place: "5"]),
            let wrong = samples.event(form["event"] ?? [:], at: 40, with: Self.values(form["value"], "9")),
            let right = samples.event(form["event"] ?? [:], at: 40, with: Self.values(form["value"], "5"))
        else { return nil }
        return Plot(before: [told], wrong: [[wrong]], right: [right])
    }

    func cleanLogout(_ form: JSON) -> Plot? {
        let same = Self.values(form["same"], "app").merging(Self.values(form["device"], "phone")) { $1 }
        guard let begin = samples.event(form["begins"] ?? [:], at: 20, with: same),
            let end = samples.event(["calls": form["ends"] ?? [:], "answered": "ok"], at: 25, with: same),
            let out = samples.event(form["signsOut"] ?? [:], at: 30)
        else { return nil }
        return Plot(wrong: [[begin, out]], right: [begin, end, out])
    }
}
