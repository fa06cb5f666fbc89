/// What a client's marks say of it. What only a mark could tell is not held against one that tells none.
struct MarksTold {
    private(set) var areTold = false
    /// The devices that they name, by lane.
    private var devices: [String: Set<String>] = [:]

    mutating func take(_ event: Event) {
        guard event.isClientMark else { return }
        areTold = true
        if let device = event.device { devices[event.lane, default: []].insert(device) }
    }

    /// Someone has several devices, whose calls cannot be distinguished.
    var nameSeveralDevices: Bool { devices.values.contains { $0.count > 1 } }
    func nameSeveralDevices(of lane: String) -> Bool { (devices[lane]?.count ?? 0) > 1 }
    func count(of lane: String) -> Int { devices[lane]?.count ?? 0 }
}
