/// Ids of visitors, sessions and app installations. What LivePerson's look like is not said; any text of this form is taken for one.
enum MonitoringId {
    static let words = "1 to 128 letters, digits, '-', '_' and '.'"

    static func isSound(_ id: String) -> Bool {
        (1...128).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }
}
