import Testing
@testable import sparring

/// Few causes of many are found, whichever they are, in few trials.
@Suite struct DeltaDebuggingTests {
    @Test(
        arguments: [
            (1, [0]), (2, [1]), (64, [0]), (64, [63]), (64, [17]), (200, [199]), (16, [0, 15]), (64, [3, 40, 41]), (5, [0, 1, 2, 3, 4]),
        ] as [(Int, Set<Int>)])
    func `what is left is what it takes`(_ count: Int, _ needed: Set<Int>) async throws {
        var trials = 0
        let (causes, isMinimal) = try await DeltaDebugging<Int> { part in
            trials += 1
            return needed.isSubset(of: part)
        }.minimized(Array(0..<count))
        #expect(isMinimal && Set(causes) == needed)
        // One cause alone is found by halving.
        if needed.count == 1 { #expect(trials <= 2 * 8) }
    }

    @Test func `what cannot be tried any more is left as far as it came`() async throws {
        var trials = 0
        let (causes, isMinimal) = try await DeltaDebugging<Int> { part in
            trials += 1
            return trials > 3 ? nil : part.contains(0)
        }.minimized(Array(0..<64))
        #expect(!isMinimal && causes == Array(0..<8))
    }
}
