import Dispatch

extension Pipeline {
    /// Bytes of the longest message that is parsed and checked on the thread that received it.
    static let shortLimit = 64 << 10
    /// The same on the store's thread.
    private static let briefLimit = 4 << 10

    /// Works on a short message at once, and on a long one on a queue for long ones: parsing a megabyte of JSON takes some 50 ms, and nobody else's request
    /// should wait for that.
    ///
    /// - Parameters:
    ///   - count: the message's length in bytes.
    ///   - onWriter: this is the store's thread, for which everybody waits.
    func dispatch(bytes count: Int, onWriter: Bool = false, _ work: @escaping @Sendable () -> Void) {
        if count <= (onWriter ? Self.briefLimit : Self.shortLimit) { work() } else { lengthy.async(execute: work) }
    }
}
