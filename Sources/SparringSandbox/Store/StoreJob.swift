package import GRDB

/// A write in a savepoint of its own, within the transaction for everything that a turn has brought, and what follows it.
///
/// Sendable: it is handed from its submitter to the loop and touched by no one else.
package protocol StoreJob: AnyObject, Sendable {
    /// It changes rows with one statement at most, its last: then there is nothing that a savepoint would have to take back.
    var writesOnce: Bool { get }

    /// Within the transaction. What is thrown takes this job's writes back, and no others.
    func perform(_ db: Database) throws

    /// Called once, on the loop, after the commit or with what kept it from happening.
    func finished(_ failure: (any Error)?)
}

/// A job of two closures.
final class ClosureJob<Value>: StoreJob {
    private let body: @Sendable (Database) throws -> Value
    private let finish: @Sendable (Result<Value, any Error>) -> Void
    nonisolated(unsafe) private var value: Value?

    let writesOnce = false

    init(
        _ body: @escaping @Sendable (Database) throws -> Value, finished: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.body = body
        finish = finished
    }

    func perform(_ db: Database) throws { value = try body(db) }

    func finished(_ failure: (any Error)?) {
        if let failure { finish(.failure(failure)) } else if let value = value.take() { finish(.success(value)) }
    }
}
