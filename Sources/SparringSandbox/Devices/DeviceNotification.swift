import GRDB
public import SparringJSON
public import SparringJournal

/// A notification on a device.
public struct DeviceNotification: Sendable {
    /// Counted from 1 on each device.
    public var number: Int
    public var device: String
    public var time: Timestamp
    /// The members that the admin API shows beside number, time and device, such as `text`, `badge` and `payload`.
    public var content: JSON.Object
    /// The input of the iOS simulator's push command (`xcrun simctl push`); nil for another system's device.
    public var simulatorFile: JSON?

    init(_ row: Row) throws {
        (number, device) = (row["number"], row["device"])
        time = Timestamp(milliseconds: row["time"])
        content = try JSON(parsing: row["content"] as String).object ?? [:]
        simulatorFile = try (row["file"] as String?).map { try JSON(parsing: $0) }
    }

    public var json: JSON {
        let own = JSON.Object(uniqueKeysWithValues: [
            ("number", .integer(Int64(number))), ("time", .string(time.description)), ("device", .string(device)),
        ])
        return .object(own.merging(content) { first, _ in first })
    }
}
