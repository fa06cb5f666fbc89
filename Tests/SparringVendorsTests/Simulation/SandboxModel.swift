import SparringJSON

/// A sandbox as it was at an entry.
struct SimulatedPast {
    let entry: Int
    let view: JSON
    /// A call had begun, and was not decided.
    let isHeld: Bool
}

/// A sandbox as the answers to its clients say that it must be.
struct SandboxModel {
    /// Acknowledged, in this order: by the app, or the admin's acts for it.
    private(set) var said: [AppName: [String]] = [:]
    /// Whatever may have been said, acknowledged or not.
    private(set) var possible: Set<String> = []
    /// Devices by their tokens, with whether they are registered; nil: nobody can tell.
    private(set) var devices: [String: Bool?] = [:]
    /// Apps with a call for a device that a fault may hold back still: it is decided after what the app does meanwhile.
    private var late: Set<AppName> = []
    /// Each entry that has been there, without what the machine's clock says.
    var journal: [String] = []
    /// The number of HTTP calls in the journal, by lane.
    var exchanges: [String: Int] = [:]
    /// The states that the sandbox had at entries.
    var pasts: [SimulatedPast] = []
    var apps: [AppName: any SimulatedApp] = [:]
    /// Codes that somebody was let in with.
    var spent: [AppName: String] = [:]
    /// How much of what an app has received has been looked at.
    var read: [AppName: Int] = [:]

    mutating func note(_ text: String, by app: AppName, _ outcome: Outcome) {
        switch outcome {
        case .done:
            said[app, default: []].append(text)
            possible.insert(text)
        case .unknown: possible.insert(text)
        case .refused, .idle: break
        }
    }

    /// - Parameters:
    ///   - isOn: it was registered, else unregistered.
    ///   - isHolding: faults hold calls back.
    mutating func note(device: String, of app: AppName, isOn: Bool, _ outcome: Outcome, isHolding: Bool) {
        guard outcome == .done || outcome == .unknown else { return }
        if !isHolding { late.remove(app) } else if outcome == .unknown { late.insert(app) }
        let isKnown = outcome == .done && !late.contains(app)
        // Most vendors know one device of a client at a time: another one replaces it, and unregistering takes it away, whichever it is.
        if app.vendor != "asapp" {
            for other in devices.keys where other.hasPrefix("\(app.lane)-") { devices[other] = .some(isKnown ? false : nil) }
        }
        devices[device] = .some(isKnown ? isOn : nil)
    }

    /// The model of a fork as it begins: the state, without clients.
    func forked(at entry: Int, texts: Set<String>) -> SandboxModel {
        var fork = SandboxModel()
        for (app, all) in said { fork.said[app] = all.filter(texts.contains) }
        fork.possible = texts
        return fork
    }
}
