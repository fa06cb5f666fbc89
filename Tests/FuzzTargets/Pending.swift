import Dispatch
import SparringLocks

/// Something asynchronous that a thread of the fuzzer waits for.
final class Pending<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () async -> Value) {
        Task { set(await body()) }
    }

    private func set(_ value: Value) {
        self.value.withLock { $0 = value }
        done.signal()
    }

    /// - Returns: nil where it is not there in time. May be asked again.
    func wait(_ milliseconds: Int) -> Value? {
        guard done.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        done.signal()
        return value.withLock { $0 }
    }

    /// - Throws: ``FuzzFailure`` where it takes longer than anything may.
    func get(_ what: String) throws -> Value {
        guard let value = wait(60_000) else { throw FuzzFailure("no end after 60 s: \(what)") }
        return value
    }
}

/// Waits for what may throw.
func blocking<Value: Sendable>(_ what: String, _ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    try Pending<Result<Value, any Error>> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }.get(what).get()
}
