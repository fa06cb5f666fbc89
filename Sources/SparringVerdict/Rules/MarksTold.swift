/// The facts about a client that its marks report. What only a mark could report is not held against a client that sends none.
struct MarksTold {
    private(set) var areTold = false
    /// Lanes and devices that have told one.
    private var tellers: Set<String> = []
    /// The devices that they name, by lane.
    private var devices: [String: Set<String>] = [:]

    mutating func take(_ event: Event) {
        guard event.isClientMark else { return }
        areTold = true
        tellers.insert(event.lane + "\n" + (event.device ?? ""))
        if let device = event.device { devices[event.lane, default: []].insert(device) }
    }

    /// Several clients, or several installations, report marks.
    var areOfSeveral: Bool { tellers.count > 1 }

    /// Someone has several devices, whose calls cannot be distinguished.
    var nameSeveralDevices: Bool { devices.values.contains { $0.count > 1 } }
    func nameSeveralDevices(of lane: String) -> Bool { (devices[lane]?.count ?? 0) > 1 }
    func count(of lane: String) -> Int { devices[lane]?.count ?? 0 }
}
