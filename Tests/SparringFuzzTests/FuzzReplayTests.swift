import Foundation
import FuzzTargets
import Support
import Testing

/// The targets of `make fuzz`, for seconds instead of minutes: the inputs that are kept, and some that are drawn, the same ones each time.
/// They are tried one at a time, since they share an engine.
@Suite(.serialized) struct FuzzReplayTests {
    /// A file of `fixtures/fuzz`.
    struct Seed: Sendable, CustomTestStringConvertible {
        let target: FuzzTarget
        let name: String
        var testDescription: String { "\(target)/\(name)" }
        var bytes: [UInt8] { FileManager.default.contents(atPath: target.corpus + "/" + name).map { Array($0) } ?? [] }

        static let all = FuzzTarget.allCases.flatMap { target in
            ((try? FileManager.default.contentsOfDirectory(atPath: target.corpus)) ?? []).sorted().map { Seed(target: target, name: $0) }
        }
    }

    /// How many inputs are drawn: a second's worth or so.
    private static let drawn: [(FuzzTarget, Int)] = [
        (.head, 300), (.json, 3000), (.form, 3000), (.request, 20), (.message, 15), (.token, 20), (.yaml, 300), (.row, 15),
    ]

    @Test func `there are inputs for each target`() {
        for target in FuzzTarget.allCases { #expect(Seed.all.contains { $0.target == target }, "\(target)") }
    }

    @Test(arguments: Seed.all)
    func `what was hard once holds`(_ seed: Seed) async throws {
        try await aside { try seed.target.run(seed.bytes) }
    }

    @Test(arguments: drawn)
    func `inputs that nobody wrote do no harm`(_ target: FuzzTarget, _ count: Int) async throws {
        try await aside {
            var generator = FuzzGenerator(seed: 42)
            let seeds = Seed.all.filter { $0.target == target }.map(\.bytes).filter { $0.count < 4096 }
            for number in 0..<count {
                do { try target.run(generator.input(from: seeds)) } catch let failure as FuzzFailure {
                    throw FuzzFailure("input \(number): \(failure)")
                }
            }
        }
    }

    @Test(arguments: [FuzzTarget.request, .message])
    func `every operation and every message of the contracts is reached`(_ target: FuzzTarget) async throws {
        try await aside { try target.runPlainly() }
        let reached = try #require(target.reached)
        #expect(!reached.names.isEmpty)
        #expect(reached.missing == [])
    }
}
