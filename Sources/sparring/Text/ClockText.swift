import SparringJSON

/// A clock as people read it.
enum ClockText {
    /// How it goes and what it shows.
    static func line(_ clock: JSON?) -> String {
        let now = clock?["now"]?.string ?? ""
        switch clock?["mode"]?.string {
        case "frozen": return "frozen at \(now)"
        case "rate":
            let rate = clock?["rate"]
            return "\(now), running \(rate?.integer.map { String($0) } ?? rate?.text ?? "?") times as fast as the machine's"
        default: return "\(now), running"
        }
    }

    /// The outcome of an advance.
    static func advanced(_ json: JSON) -> String {
        let ran = json["ran"]?.integer ?? 0
        let settled = json["settled"]?.bool == false ? ", not settled yet" : ""
        return "\(json["now"]?.string ?? "") (\(ran == 0 ? "nothing was due" : "ran \(ran) that fell due")\(settled))"
    }

    /// The line, and what is due.
    static func whole(_ clock: JSON) -> String {
        var due = Table()
        for work in clock["pending"]?.array ?? [] { due.add("due \(work["due"]?.string ?? "")", work["what"]?.string ?? "") }
        return line(clock) + (due.rows.isEmpty ? "" : "\n" + due.text)
    }
}
