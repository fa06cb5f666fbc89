import SparringHTTP

/// A base URL by which clients reach this server, and the addresses to give out to them. An object, because every call refers to one.
final class ClientBase: Sendable {
    /// ``Addresses/base(of:)``
    let url: String
    /// ``Addresses/serviceHost(of:)``
    let serviceHost: String
    /// The server's addresses when the client called.
    let addresses: Addresses

    init(_ url: String, _ addresses: Addresses) {
        (self.url, self.addresses) = (url, addresses)
        serviceHost = addresses.serviceHost(of: url)
    }
}
