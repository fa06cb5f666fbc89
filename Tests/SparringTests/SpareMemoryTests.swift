import Testing

@testable import sparring

/// When the server gives memory back that nobody uses any more.
@Suite struct SpareMemoryTests {
    private static let step = SpareMemory.worthwhile

    @Test(arguments: [
        ("nothing is spare", 0, [0, 0], [false, false]),
        ("a little", 0, [step - 1], [false]),
        ("enough, once", 0, [step, step, step + 1], [true, false, false]),
        ("what was spare at the beginning does not count", step, [step, step + 1, 2 * step], [false, false, true]),
        ("what is used again and spare again", 0, [2 * step, step, 2 * step - 1, 2 * step], [true, false, false, true]),
    ]) func `it is given back once it has grown`(_ what: String, _ given: Int, _ spare: [Int], _ expected: [Bool]) {
        var memory = SpareMemory(given: given)
        #expect(spare.map { memory.isWorthwhile($0) } == expected)
    }

    @Test func `the allocator says how much is spare`() { #expect(SpareMemory.spare > 0) }
}
