import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON

/// Sparring's address in place of the vendor's in what goes to the client, and the vendor's in place of Sparring's in what goes to the vendor. A client that
/// is handed the vendor's own address, as by a domain lookup, would leave.
struct RelayAddresses: Sendable {
    private let toClient: AuthorityRewriter
    private let toVendor: AuthorityRewriter

    /// Leaves all addresses as they are.
    init() {
        toClient = AuthorityRewriter(replaces: { _ in false }, isTLS: false, authority: "", bare: "")
        toVendor = toClient
    }

    /// - Parameters:
    ///   - own: `http://127.0.0.1:8080`, by which the client came.
    ///   - serviceHost: ``Addresses/serviceHost(of:)`` of that.
    ///   - target: that the call goes to.
    ///   - hosts: the vendor's, beside those of targets.
    init(own: String, serviceHost: String, _ target: VendorTargets.Target, of targets: VendorTargets, hosts: [ServerHost]) {
        let isTLS = own.hasPrefix("https")
        let ownAuthority = String(own.dropFirst(isTLS ? 8 : 7))
        let authorities = Set(targets.all.map(\.authority))
        // On this machine, another port is somebody else's.
        let named = Set(targets.all.filter { !$0.isOnThisMachine }.compactMap { Authority($0.authority)?.host.lowercased() })
        toClient = AuthorityRewriter(
            replaces: { word in
                if authorities.contains(word) { return true }
                guard let host = Authority(word)?.host.lowercased() else { return false }
                return named.contains(host) || hosts.contains { $0.matches(host: host) }
            }, isTLS: isTLS, authority: ownAuthority, bare: serviceHost)
        toVendor = AuthorityRewriter(
            replaces: { $0 == ownAuthority || $0 == serviceHost }, isTLS: target.scheme == "https", authority: target.authority,
            bare: target.authority)
    }

    /// Fields about a connection (RFC 9110 §7.6.1), what follows from the rest, and what would send a browser elsewhere (RFC 6797, RFC 7838).
    private static let ofConnection: Set<HTTPField.Name> = [
        .connection, .contentLength, .transferEncoding, .upgrade, .te, .trailer, .strictTransportSecurity, .acceptEncoding,
        .contentEncoding,
        .host, .expect, .secWebSocketAccept, .secWebSocketKey, .secWebSocketExtensions, .secWebSocketVersion, .sparringLane,
        HTTPField.Name("Keep-Alive")!, HTTPField.Name("Alt-Svc")!, HTTPField.Name("Proxy-Connection")!,
    ]

    // MARK: To the vendor

    func request(_ target: String, _ headers: HTTPFields, _ body: [UInt8]) -> (target: String, headers: HTTPFields, body: [UInt8]) {
        (toVendor.rewrite(target), fields(headers, by: toVendor), rewritten(body, by: toVendor))
    }

    func message(toVendor bytes: [UInt8]) -> [UInt8] { rewritten(bytes, by: toVendor) }

    // MARK: To the client

    func answer(_ headers: HTTPFields, _ body: [UInt8]) -> (headers: HTTPFields, body: [UInt8]) {
        var headers = fields(headers, by: toClient)
        // A cookie for the vendor's domain would be for no host that the client calls.
        for index in headers.indices where headers[index].name == .setCookie {
            headers[index].value = headers[index].value.split(separator: ";")
                .filter { !$0.drop { $0 == " " }.lowercased().hasPrefix("domain=") }.joined(separator: ";")
        }
        return (headers, rewritten(body, by: toClient))
    }

    func message(toClient bytes: [UInt8]) -> [UInt8] { rewritten(bytes, by: toClient) }

    // MARK: Both

    private func fields(_ headers: HTTPFields, by rewriter: AuthorityRewriter) -> HTTPFields {
        HTTPFields(
            headers.filter { !Self.ofConnection.contains($0.name) }.map { HTTPField(name: $0.name, value: rewriter.rewrite($0.value)) })
    }

    private func rewritten(_ body: [UInt8], by rewriter: AuthorityRewriter) -> [UInt8] {
        guard let text = String(validating: body, as: UTF8.self) else { return body }
        let changed = rewriter.rewrite(text)
        return changed == text ? body : Array(changed.utf8)
    }
}
