internal import CMicrohttpd
import Glibc
import SparringLocks
import SparringLoop

/// How an exchange ends past libmicrohttpd, on the loop.
extension Exchange {
    /// Begins an ending, or goes on with it, from the access callback.
    func end(_ ending: Ending) -> MHD_Result {
        var ending = ending
        let isAsleep = advance(&ending)
        state.withLock { $0.phase = .ending(ending) }
        return isAsleep ? .YES : .NO
    }

    /// Goes on with an ending as far as the connection lets it.
    ///
    /// - Returns: true while the connection sleeps, after which this is to be called again; false when libmicrohttpd is to close it.
    func advance(_ ending: inout Ending) -> Bool {
        if state.withLock({ $0.hasClientLeft }) { return over(ending.leaving) }
        push()
        while true {
            while !ending.rest.isEmpty {
                switch write(ending.rest) {
                case .some(0): return sleep(untilWritable: true) != nil || over("the server stopped")
                case .some(let count): ending.rest.removeFirst(count)
                case nil: return over("the client left")
                }
            }
            guard let next = ending.pieces.popFirst() else { break }
            ending.rest = next[...]
            if sleep(for: Ending.gap) != nil { return true }
        }
        switch ending.last {
        case .reset:
            // An RST throws away what has not been sent, and may overtake what has.
            if sparring_unacknowledged(descriptor) > 0 {
                ending.looks += 1
                if sleep(for: .milliseconds(1 << min(ending.looks, 6))) != nil { return true }
            }
            // The connection's own descriptor is meant, under TLS too.
            resetSocket(descriptor)
            return over(ending.words)
        case .close:
            if sparring_finish(connection.pointer) == 0, sleep(untilWritable: true) != nil { return true }
            if !listener.shared.sleepers.areReleased { listener.shared.discards.value.linger(descriptor) }
            return over(ending.words)
        case .stall:
            return sleep() != nil || over(ending.words + " until the server stopped")
        }
    }

    /// Ends the connection from a content reader. One whose reader fails libmicrohttpd 0.9.75 keeps open, unless it is the oldest, until
    /// something moves on it, which after a suspension it does not hear of; one that cannot be written to it closes at once.
    ///
    /// - Returns: what the reader is to return.
    func breakOff(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        shutdown(descriptor, Int32(SHUT_WR))
        buffer[0] = 0
        return 1
    }

    /// Remembers how it ended.
    private func over(_ words: String) -> Bool {
        state.withLock { $0.cut = $0.cut ?? words }
        return false
    }

    /// Lets go of what the kernel keeps back to fill a packet.
    private func push() {
        var off: Int32 = 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &off, socklen_t(MemoryLayout<Int32>.size))
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes what the socket takes, under TLS as data of its session.
    ///
    /// - Returns: how many bytes it took, 0 where it is full; nil where the connection is broken.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { sparring_send(connection.pointer, $0.baseAddress, $0.count) }
        return count >= 0 ? count : nil
    }
}

/// Connecting to no address dissolves the association: the kernel sends RST, no FIN before it (connect(2)).
func resetSocket(_ descriptor: Int32) {
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
}
