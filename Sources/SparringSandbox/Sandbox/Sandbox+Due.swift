public import GRDB

extension Sandbox {
    /// Keeps work until its time has come, over restarts too. It is part of the transaction: where that is rolled back, nothing of it is left. When it is
    /// due, its owner (``DueItem/vendor``) does it: in order of time while the clock is advanced. While the clock runs, what is due at the same moment is
    /// begun in order, and only items of one lane wait for each other.
    ///
    /// - Returns: the item's number.
    @discardableResult
    public func schedule(_ item: DueItem, _ db: Database) throws -> Int64 { try dueWork.schedule(item, db) }

    /// Whether anything is kept under a key that has not been done.
    public func hasDueWork(of vendor: String, key: String, _ db: Database) throws -> Bool {
        try !DueItem.numbers(vendor: vendor, key: key, id, db).isEmpty
    }

    /// Takes back what was scheduled under a key and is not under way.
    ///
    /// - Returns: how much that was.
    @discardableResult
    public func cancelDueWork(of vendor: String, key: String, _ db: Database) throws -> Int {
        try dueWork.cancel(vendor: vendor, key: key, db)
    }
}
