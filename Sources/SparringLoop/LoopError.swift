import Glibc

/// The system has no descriptor, or no memory, for a loop.
public struct LoopError: Error, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// Its `errno`.
    public let number: Int32

    init(_ call: String) { (self.call, number) = (call, errno) }

    public var description: String { "\(call): \(String(cString: strerror(number)))" }
}
