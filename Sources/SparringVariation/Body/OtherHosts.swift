import SparringJSON

/// Another name of this machine for each address by which a client may be sent to it.
package enum OtherHosts {
    /// - Parameter addresses: base URLs, or hosts with their ports; one that has no other name is left out.
    package static func of(_ addresses: [String]) -> [String: String] {
        addresses.reduce(into: [:]) { others, address in
            let text = address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address
            guard let authority = Authority(text), let other = names[authority.host] else { return }
            others[text] = other + text.dropFirst(authority.host.utf8.count)
        }
    }

    /// Both are in Sparring's certificates.
    private static let names = ["localhost": "127.0.0.1", "127.0.0.1": "localhost"]
}
