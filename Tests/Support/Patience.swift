/// How long a test waits for what must come. A busy machine is slow, and so is a sanitizer; but a server closes an idle connection by itself
/// after 75 s, and that must not pass for the close that a test waits for.
public let patience: Duration = .seconds(60)

/// An event that a test waited for did not come.
public struct OutOfPatience: Error {}

/// Asks until it is so.
///
/// - Throws: ``OutOfPatience``.
public func until(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + patience
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw OutOfPatience() }
        await Task.yield()
    }
}
