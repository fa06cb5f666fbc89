import CMalloc

/// Memory that clients and sandboxes needed once. The allocator would keep it for as long as the server runs; what it gives back to the system is there for
/// others, and for the server itself when it is needed again.
struct SpareMemory {
    private static let pause = Duration.seconds(30)
    /// The growth of it, in bytes, from which giving back is worth the time.
    static let worthwhile = 32 << 20

    /// The spare bytes that have been given back, which the allocator still counts.
    private var given = 0

    /// - Parameter spare: bytes that the allocator holds and nobody uses.
    /// - Returns: whether they are to be given back now.
    mutating func isWorthwhile(_ spare: Int) -> Bool {
        given = min(given, spare)
        guard spare - given >= Self.worthwhile else { return false }
        given = spare
        return true
    }

    /// Bytes that the allocator holds and nobody uses.
    static var spare: Int { Int(malloc_spare()) }

    /// Gives back what is spare, now and then, until the task is cancelled.
    static func giveBack() async {
        var memory = SpareMemory(given: spare)
        while (try? await Task.sleep(for: pause, tolerance: pause / 2)) != nil {
            if memory.isWorthwhile(spare) { malloc_trim(0) }
        }
    }

    init(given: Int = 0) { self.given = given }
}
