public import GRDB
public import SparringJSON

/// A vendor that pushes notifications to its clients' devices: the admin API can have it push, and shows what the devices got.
public protocol PushSender: Vendor {
    /// Sends the push that `POST …/pushes` asks for; inside a savepoint.
    ///
    /// - Returns: what was done for each device, in words.
    /// - Throws: ``ConfigurationError`` with the request's pointer.
    func push(_ request: JSON, _ intervention: Intervention, _ db: Database) throws -> [String]

    /// The devices that have ever been registered.
    func devices(in sandbox: String, _ db: Database) throws -> [JSON]

    /// What a device got from a number on, oldest first; nil for a device that was never registered here.
    func notifications(on device: String, in sandbox: String, since: Int, limit: Int, _ db: Database) throws -> [DeviceNotification]?
}

/// A notification on a device.
public struct DeviceNotification: Sendable {
    /// Counted from 1 on each device.
    public var number: Int
    public var json: JSON
    /// What the iOS simulator's push command takes (`xcrun simctl push`); nil for another system's device.
    public var simulatorFile: JSON?

    public init(number: Int, json: JSON, simulatorFile: JSON?) {
        self.number = number
        self.json = json
        self.simulatorFile = simulatorFile
    }
}
