import Foundation

/// Runs what blocks on a thread of its own: a test that waits must not hold one of the few threads that tasks share.
public func aside<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            do throws(Failure) { continuation.resume(returning: .success(try body())) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
