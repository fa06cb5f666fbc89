import SparringHTTP
import SparringLocks

/// The addresses of the server, as far as they are known by now, and the base URLs that clients have reached it by.
final class AddressBook: Sendable {
    private struct State {
        var addresses: Addresses
        /// The base URLs of plain HTTP, by the host and port that the client called.
        var bases: [String: String] = [:]
    }

    /// Base URLs that are remembered: a stranger may call by any.
    private static let limit = 256

    private let state: Mutex<State>

    init(_ addresses: Addresses) { state = Mutex(State(addresses: addresses)) }

    var current: Addresses { state.withLock { $0.addresses } }

    func change(to addresses: Addresses) { state.withLock { $0 = State(addresses: addresses) } }

    /// ``Addresses/base(of:)``
    func base(of head: RequestHead) -> String {
        guard let authority = head.authority, !head.isTLS else { return current.base(of: head) }
        return state.withLock { state in
            if let base = state.bases[authority] { return base }
            let base = state.addresses.base(of: head)
            if state.bases.count < Self.limit { state.bases[authority] = base }
            return base
        }
    }
}
