import SparringJSON

/// Another name of this machine for each address by which a client may be sent to it.
package enum OtherHosts {
    /// - Parameter authorities: hosts with their ports; one that has no other name is left out.
    package static func of(_ authorities: [String]) -> [String: String] {
        authorities.reduce(into: [:]) { others, text in
            guard let authority = Authority(text), let other = names[authority.host] else { return }
            others[text] = other + text.dropFirst(authority.host.utf8.count)
        }
    }

    /// Both are in Sparring's certificates.
    private static let names = ["localhost": "127.0.0.1", "127.0.0.1": "localhost"]
}
