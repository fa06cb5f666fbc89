import SparringHTTP
import SparringLocks

/// The addresses of the server, as far as they are known by now, and the base URLs that clients have reached it by.
final class AddressBook: Sendable {
    private struct State {
        var addresses: Addresses
        /// The base URLs by the host and port that a client of plain HTTP called, and by themselves.
        var bases: [String: ClientBase] = [:]
    }

    /// Base URLs that are remembered: a stranger may call by any.
    private static let limit = 256

    private let state: Mutex<State>

    init(_ addresses: Addresses) { state = Mutex(State(addresses: addresses)) }

    var current: Addresses { state.withLock { $0.addresses } }

    func change(to addresses: Addresses) { state.withLock { $0 = State(addresses: addresses) } }

    /// The base URL by which a request came (``Addresses/base(of:)``).
    func base(of head: RequestHead) -> ClientBase {
        // One with a slash could be taken for a URL.
        guard let authority = head.authority, !head.isTLS, !authority.utf8.contains(UInt8(ascii: "/")) else {
            return base(current.base(of: head))
        }
        return base(by: authority) { $0.base(of: head) }
    }

    /// A base URL that a client has reached this server by before.
    func base(_ url: String) -> ClientBase { base(by: url) { _ in url } }

    private func base(by key: String, url: (Addresses) -> String) -> ClientBase {
        state.withLock { state in
            if let base = state.bases[key] { return base }
            let base = ClientBase(url(state.addresses), state.addresses)
            if state.bases.count < Self.limit { state.bases[key] = base }
            return base
        }
    }
}
