public import GRDB
public import SparringJSON
public import SparringJournal

/// The devices of a sandbox, and what they got from all vendors.
public struct DeviceInbox: Sendable {
    private let sandbox: String

    public init(of sandbox: String) { self.sandbox = sandbox }

    // MARK: Devices

    static let deviceTable = "device"
    private static let row = Upsert(
        deviceTable, key: ["sandbox", "token"], ["app", "push_type", "vendor", "owner", "consumer", "renewed"])

    /// Notes a device, in place of what was known of its token.
    public func put(_ device: Device, _ db: Database) throws {
        try Self.row.put(
            [sandbox, device.token, device.app, device.pushType, device.vendor, device.owner, device.consumer, device.renewed], db)
    }

    public func device(_ token: String, _ db: Database) throws -> Device? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM device WHERE sandbox = ? AND token = ?"), arguments: [sandbox, token])
            .map(Device.init)
    }

    /// In the order of their tokens.
    public func devices(_ db: Database) throws -> [Device] {
        try Row.fetchAll(db, sql: "SELECT * FROM device WHERE sandbox = ? ORDER BY token", arguments: [sandbox]).map(Device.init)
    }

    /// Gives a device a new token, as push services do when an app is restored or reinstalled: what it got comes along, and nothing comes by the old
    /// token any more.
    package func renew(_ device: Device, as token: String, _ db: Database) throws {
        var (old, new) = (device, device)
        new.token = token
        old.renewed = token
        try put(old, db)
        try put(new, db)
        try db.cachedStatement(sql: "UPDATE device_notification SET device = ? WHERE sandbox = ? AND device = ?")
            .execute(arguments: [token, sandbox, device.token])
    }

    // MARK: Notifications

    /// - Parameters:
    ///   - content: ``DeviceNotification/content``.
    ///   - simulatorFile: ``DeviceNotification/simulatorFile``.
    /// - Returns: its number.
    @discardableResult
    public func append(
        _ content: JSON, simulatorFile: JSON? = nil, to device: String, at time: Timestamp, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO device_notification (sandbox, device, number, time, content, file)
                    SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5 FROM device_notification WHERE sandbox = ?1 AND device = ?2
                    RETURNING number
                    """), arguments: [sandbox, device, time.milliseconds, content.text, simulatorFile?.text]) ?? 0
    }

    /// From a number on, oldest first.
    package func notifications(on device: String, since: Int, limit: Int, _ db: Database) throws -> [DeviceNotification] {
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM device_notification WHERE sandbox = ? AND device = ? AND number >= ? ORDER BY number LIMIT ?")
        return try Row.fetchAll(statement, arguments: [sandbox, device, since, limit]).map { try DeviceNotification($0) }
    }

    package func count(on device: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM device_notification WHERE sandbox = ? AND device = ?"),
            arguments: [sandbox, device]) ?? 0
    }
}
