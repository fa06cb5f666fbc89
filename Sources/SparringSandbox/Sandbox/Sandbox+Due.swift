public import GRDB

extension Sandbox {
    /// Keeps work until its time has come, over restarts too; it is part of the transaction, and nothing of it is left where that is rolled
    /// back. When due it is done by the vendor's ``Vendor/dueHandler(of:)``: in order of time while the clock is advanced; while it runs,
    /// what is due at the same moment is begun in order, and only items of one lane wait for each other.
    ///
    /// - Returns: the item's number.
    @discardableResult
    public func schedule(_ item: DueItem, _ db: Database) throws -> Int64 { try dueWork.schedule(item, db) }

    /// Takes back what was scheduled under a key and is not under way.
    ///
    /// - Returns: how much that was.
    @discardableResult
    public func cancelDueWork(of vendor: String, key: String, _ db: Database) throws -> Int {
        try dueWork.cancel(vendor: vendor, key: key, db)
    }
}
