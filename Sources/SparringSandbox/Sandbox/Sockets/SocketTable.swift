import SparringLocks

/// The open sockets of a sandbox.
package final class SocketTable: Sendable {
    private struct State {
        var open: [Int: Socket] = [:]
        var last = 0
        /// The sockets' owners, by socket number.
        var owners: [Int: String] = [:]
        /// So that finding one's few among thousands costs nothing.
        var byOwner: [String: [Int: Socket]] = [:]
        /// The sockets, by the id of the session that each carries.
        var bySession: [String: Socket] = [:]

        mutating func file(_ socket: Socket, under owner: String) {
            unfile(socket)
            owners[socket.number] = owner
            byOwner[owner, default: [:]][socket.number] = socket
        }

        mutating func unfile(_ socket: Socket) {
            guard let owner = owners.removeValue(forKey: socket.number) else { return }
            byOwner[owner]?[socket.number] = nil
            if byOwner[owner]?.isEmpty == true { byOwner[owner] = nil }
        }
    }
    private let state = Mutex(State())

    package func nextNumber() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    package func add(_ socket: Socket) {
        let owner = socket.owner
        state.withLock { state in
            state.open[socket.number] = socket
            if let owner { state.file(socket, under: owner) }
        }
    }

    package func remove(_ socket: Socket) {
        let session = socket.session
        state.withLock { state in
            state.open[socket.number] = nil
            state.unfile(socket)
            if let session, state.bySession[session] === socket { state.bySession[session] = nil }
        }
    }

    /// Those that are not open yet tell their owner when they are added.
    ///
    /// - Parameter owner: nil: nobody's.
    func assign(_ socket: Socket, to owner: String?) {
        state.withLock { state in
            guard state.open[socket.number] != nil else { return }
            if let owner { state.file(socket, under: owner) } else { state.unfile(socket) }
        }
    }

    /// Makes it the one that carries a session.
    func carry(_ session: String?, on socket: Socket, before: String?) {
        state.withLock { state in
            if let before, state.bySession[before] === socket { state.bySession[before] = nil }
            if let session { state.bySession[session] = socket }
        }
    }

    /// The one that carries a session.
    func carrier(of session: String) -> Socket? { state.withLock { $0.bySession[session] } }

    package subscript(_ number: Int) -> Socket? { state.withLock { $0.open[number] } }

    /// In the order of opening.
    var all: [Socket] { state.withLock { $0.open.values.sorted { $0.number < $1.number } } }

    /// Those of an owner, in the order of opening.
    func all(of owner: String) -> [Socket] {
        state.withLock { $0.byOwner[owner]?.values.sorted { $0.number < $1.number } ?? [] }
    }
}

extension Sandbox {
    /// The open sockets that were assigned to `owner` with ``Socket/assign(to:)``, in the order of opening; the time this takes does not
    /// depend on how many others are open.
    public func openSockets(of owner: String) -> [Socket] { sockets.all(of: owner).filter { !$0.isGoing } }

    /// The open socket that carries a session of the vendor's (``Socket/carry(_:)``).
    public func openSocket(carrying session: String) -> Socket? {
        sockets.carrier(of: session).flatMap { $0.isLeaving || $0.farewell != nil ? nil : $0 }
    }
}
