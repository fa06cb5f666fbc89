public import SparringJSON
public import Testing

/// Gives a test, or each test of a suite, a sandbox of its own:
///
/// ```swift
/// @Test(.sparring(scenario: "pusher-down-for-31s")) func `it keeps trying`() async throws {
///     let sandbox = try SparringSandbox.current
///     await MyClient(url: sandbox.url, account: try sandbox.tenant("liveperson", "accountId")).register()
///     let verdict = try await sandbox.verdict(basis: .sandbox)
///     #expect(verdict.isGood, "\(verdict)")
/// }
/// ```
/// All of a process's tests share one server; none sees another's sandbox.
public struct SparringTrait: TestTrait, SuiteTrait, TestScoping {
    /// Is given the test's name.
    let makeSandbox: @Sendable (SparringServer, String) async throws -> SparringSandbox

    public var isRecursive: Bool { true }

    /// Only around each test, not around the suite that has them.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        let sandbox = try await makeSandbox(SharedServer.starting.value, test.displayName ?? test.name)
        do {
            try await SparringSandbox.$inScope.withValue(sandbox) { try await function() }
            await sandbox.delete()
        } catch {
            await sandbox.delete()
            throw error
        }
    }
}

extension Trait where Self == SparringTrait {
    /// - Parameters: as of ``SparringServer/sandbox(scenario:seed:clock:tenants:faults:label:vary:)``.
    public static func sparring(
        scenario: String? = nil, seed: Int64? = nil, clock: JSON? = nil, tenants: JSON? = nil, faults: [String] = [], vary: JSON? = nil
    ) -> Self {
        SparringTrait {
            try await $0.sandbox(scenario: scenario, seed: seed, clock: clock, tenants: tenants, faults: faults, label: $1, vary: vary)
        }
    }
}

extension SparringSandbox {
    @TaskLocal static var inScope: SparringSandbox?

    /// The sandbox of the test that runs.
    ///
    /// - Throws: ``SparringProblem`` where the test has no ``SparringTrait``.
    public static var current: SparringSandbox {
        get throws {
            guard let inScope else { throw SparringProblem(status: 0, text: "this test has no trait .sparring(…)") }
            return inScope
        }
    }
}

/// One server for all tests of a process; it ends with it.
private enum SharedServer {
    static let starting = Task { try await SparringServer() }
}
