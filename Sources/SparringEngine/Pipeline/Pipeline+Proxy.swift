import HTTPTypes
import SparringHTTP
import SparringJSON

/// The calls that come by the forward proxy (RFC 9110 §3.7).
extension Pipeline {
    func serves(host: String, port: Int) -> Bool { addresses.current.serves(host: host, port: port) }

    /// Why a call that came by the proxy is not this server's to answer; nil for one that is.
    func foreign(_ head: RequestHead) -> Misplaced? {
        guard let hop = head.hop else { return nil }
        guard let named = head.authority, let authority = Authority(named) else {
            return Misplaced(status: 400, reason: "the call came by the proxy and names no host (RFC 9112 §3.2.2)")
        }
        guard head.method != .connect || authority.port != nil else {
            return Misplaced(status: 400, reason: "CONNECT \(named) has no port (RFC 9112 §3.2.3)")
        }
        let host = authority.host.lowercased()
        guard !serves(host: host, port: authority.port ?? (head.isTLS ? 443 : 80)) else {
            return head.method == .connect ? Misplaced(status: 400, reason: "a tunnel has been opened already") : nil
        }
        if let failure = hop.failure { return Misplaced(status: 502, reason: "the proxy passes this call on, but \(named) \(failure)") }
        if addresses.current.isOwn(host: host) {
            return Misplaced(status: 502, reason: "\(named) is none of this server's ports, and the proxy connects to no other")
        }
        if let tunnel = hop.tunnel, tunnel != host {
            return Misplaced(status: 502, reason: "the call is for \(named), in a tunnel to \(tunnel): \(named) is not emulated here")
        }
        return Misplaced(
            status: 502,
            reason: "\(named) is not emulated here, and the proxy connects to no other host: "
                + "--proxy-host \(host) emulates it, --proxy-others pass passes such calls on, unread")
    }
}
