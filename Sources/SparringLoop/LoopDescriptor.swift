import CLinux
import Glibc

/// A descriptor that is watched until it is released. All of it belongs to the loop's thread.
public final class LoopDescriptor {
    /// The things that can be done on a descriptor now.
    public struct Readiness {
        /// Something can be read, or an error be learnt by reading.
        public let isReadable: Bool
        public let isWritable: Bool
        /// The peer has closed its side, or the connection has broken.
        public let hasLeft: Bool
    }

    public let descriptor: Int32
    let number: UInt64
    private let loop: Loop
    private let ready: (Readiness) -> Void
    private var awaited: UInt32 = 0
    private var isReleased = false

    init(_ descriptor: Int32, number: UInt64, on loop: Loop, _ ready: @escaping (Readiness) -> Void) {
        (self.descriptor, self.number, self.loop, self.ready) = (descriptor, number, loop, ready)
    }

    /// Sets what is awaited from now on, over and over for as long as it is so.
    ///
    /// - Parameter leaving: the peer's closing its side.
    public func await(reading: Bool = false, writing: Bool = false, leaving: Bool = false) {
        let events = (reading ? EPOLLIN.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0) | (leaving ? EPOLLRDHUP.rawValue : 0)
        guard events != awaited, !isReleased else { return }
        awaited = events
        loop.change(self, to: events)
    }

    /// Nothing is awaited any more. Must be called before the descriptor is closed.
    public func release() {
        isReleased = true
        loop.release(self)
    }

    func happened(_ events: UInt32) {
        let hasBroken = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        ready(
            Readiness(
                isReadable: hasBroken || events & EPOLLIN.rawValue != 0, isWritable: events & EPOLLOUT.rawValue != 0,
                hasLeft: hasBroken || events & EPOLLRDHUP.rawValue != 0))
    }
}
