/// A part that has a set of descriptors of its own, such as an HTTP daemon, and takes turns on a loop. All methods are called on the loop.
public protocol LoopSource: AnyObject, Sendable {
    /// An epoll instance: readable when something is ready (epoll(7)).
    var descriptor: Int32 { get }
    /// Milliseconds after which it wants a turn though nothing is ready; 0: at once; nil: it can wait.
    var wait: Int? { get }
    /// Does what is ready, and returns.
    func turn()
}
