/// Descriptors of which one event is awaited, and what is to be done then.
struct LoopWatches {
    private var last: UInt64
    private var actions: [UInt64: @Sendable (_ hasLeft: Bool) -> Void] = [:]

    /// - Parameter first: events of lower numbers belong to others.
    init(from first: UInt64) { last = first }

    mutating func add(_ action: @escaping @Sendable (_ hasLeft: Bool) -> Void) -> UInt64 {
        last += 1
        actions[last] = action
        return last
    }

    mutating func take(_ number: UInt64) -> (@Sendable (_ hasLeft: Bool) -> Void)? { actions.removeValue(forKey: number) }
}
