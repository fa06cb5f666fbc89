import Support
import Testing

/// Limits how many tests that start processes run at a time: all at once, they would slow down the tests that measure time.
struct FewAtATime: TestTrait, SuiteTrait, TestScoping {
    private static let permits = Permits(5)
    /// For each test, not for the suite.
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        await Self.permits.take()
        defer { Self.permits.give() }
        try await function()
    }
}

extension Trait where Self == FewAtATime {
    static var fewAtATime: Self { Self() }
}
