import SparringHTTP
import SparringLocks

/// The addresses of the server, as far as they are known by now, and the base URLs that clients have reached it by.
final class AddressBook: Sendable {
    private struct State {
        var addresses: Addresses
        /// Those of plain HTTP, by the host and port that the client called.
        var called: [String: ClientBase] = [:]
        /// By their URLs.
        var bases: [String: ClientBase] = [:]
    }

    /// Base URLs that are remembered: a stranger may call by any.
    private static let limit = 256

    private let state: Mutex<State>

    init(_ addresses: Addresses) { state = Mutex(State(addresses: addresses)) }

    var current: Addresses { state.withLock { $0.addresses } }

    func change(to addresses: Addresses) { state.withLock { $0 = State(addresses: addresses) } }

    /// That of ``Addresses/base(of:)``.
    func base(of head: RequestHead) -> ClientBase {
        guard let authority = head.authority, !head.isTLS else { return base(current.base(of: head)) }
        return state.withLock { state in
            if let base = state.called[authority] { return base }
            let base = ClientBase(state.addresses.base(of: head), state.addresses)
            if state.called.count < Self.limit { state.called[authority] = base }
            return base
        }
    }

    /// That of a URL.
    func base(_ url: String) -> ClientBase {
        state.withLock { state in
            if let base = state.bases[url] { return base }
            let base = ClientBase(url, state.addresses)
            if state.bases.count < Self.limit { state.bases[url] = base }
            return base
        }
    }
}
