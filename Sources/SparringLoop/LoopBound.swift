/// Something that only the loop's thread may touch; each access checks that.
public struct LoopBound<Value>: Sendable {
    public let loop: Loop
    nonisolated(unsafe) private let bound: Value

    /// - Parameter value: given away, to the loop.
    public init(_ value: sending Value, to loop: Loop) { (bound, self.loop) = (value, loop) }

    /// To be made on the loop, where `value` may be used besides.
    public init(on loop: Loop, _ value: Value) {
        loop.preconditionOnLoop()
        (bound, self.loop) = (value, loop)
    }

    /// Ends the process on any other thread.
    public var value: Value {
        loop.preconditionOnLoop()
        return bound
    }
}
