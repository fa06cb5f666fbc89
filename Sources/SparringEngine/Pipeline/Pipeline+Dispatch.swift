import Dispatch

extension Pipeline {
    /// Bytes of the longest message that is parsed and checked on the loop.
    static let shortLimit = 64 << 10

    /// Works on a short message at once, and on a long one on a queue for long ones: parsing a megabyte of JSON takes some 50 ms, and nobody else's request
    /// should wait for that.
    ///
    /// - Parameter count: the message's length in bytes.
    func dispatch(bytes count: Int, _ work: @escaping @Sendable () -> Void) {
        if count <= Self.shortLimit { work() } else { lengthy.async(execute: work) }
    }
}
