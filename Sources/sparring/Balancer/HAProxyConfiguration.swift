import SparringContract
import SparringEngine

/// A configuration with which HAProxy stands before several servers: new sandboxes go to the node with the fewest connections that takes any, everything else to
/// the node that its host names, or that has its account.
struct HAProxyConfiguration {
    struct Node {
        let name: String
        /// The address by which HAProxy reaches it.
        let address: String
        /// The name by which clients reach it.
        let host: String
        let port: Int
        /// Nil: no TLS is spoken.
        let tlsPort: Int?
    }

    /// The side that ends the clients' TLS.
    enum TLS {
        /// The nodes: HAProxy chooses one by the name in the handshake, and sees nothing of the calls.
        case passed
        /// HAProxy, with the certificate and key in a file; it calls the nodes by TLS, and trusts the authority in another file.
        case ended(certificate: String, authority: String?)
    }

    let nodes: [Node]
    let port: Int
    let tlsPort: Int?
    let tls: TLS
    /// Lines of `vendor/account node`; nil: no client has a fixed address.
    let map: String?
    let socket: String
    let contracts: [Contract]
    /// How the command was called.
    let command: String

    private var endsTLS: Bool { if case .ended = tls { tlsPort != nil } else { false } }
    private var passesTLS: Bool { tlsPort != nil && !endsTLS }
    /// Longer than Sparring keeps an idle connection, so that it is not HAProxy that closes one (`HTTPServer.Options.idleTimeout`).
    private static let idle = "90s"
    private static let check = "2s"

    var text: String {
        ([head] + [frontend(isTLS: false), endsTLS ? frontend(isTLS: true) : nil, passesTLS ? passing : nil].compactMap(\.self) + backends)
            .joined(separator: "\n\n") + "\n"
    }

    private var head: String {
        var lines = ["# \(command)", "# For HAProxy 2.6 or later: haproxy -c -f FILE checks it."]
        let unseen = unseen
        if map != nil, !unseen.isEmpty {
            lines.append("# These calls name their account where HAProxy does not see it, and need the node's own host:")
            lines += unseen.map { "#   \($0)" }
        }
        lines += [
            "global", "    stats socket \(socket) mode 660 level admin", "",
            "defaults", "    mode http", "    option http-keep-alive", "    timeout connect 5s", "    timeout client \(Self.idle)",
            "    timeout server \(Self.idle)", "    timeout http-request 15s", "    # Of a WebSocket: pings keep it open.",
            "    timeout tunnel 1h",
        ]
        return lines.joined(separator: "\n")
    }

    /// Operations of which HAProxy cannot see the account.
    private var unseen: [String] {
        contracts.flatMap(\.operations).filter { !$0.isAdmin && !$0.tenant.isEmpty && TenantFetch.all(of: $0).isEmpty }.map(\.qualifiedName)
    }

    // MARK: Calls

    private func frontend(isTLS: Bool) -> String {
        let suffix = isTLS ? "_tls" : ""
        var lines = ["frontend sparring\(suffix)"]
        if isTLS, let tlsPort, case .ended(let certificate, _) = tls {
            lines.append("    bind :::\(tlsPort) v4v6 ssl crt \(certificate) alpn http/1.1")
        } else {
            lines.append("    bind :::\(port) v4v6")
        }
        lines.append("    http-request set-var(txn.host) req.hdr(host),field(1,:),lower")
        if let map { lines += accountRules(map) }
        for node in nodes {
            let isOwn = "{ var(txn.host) -m str \(node.host) } or { var(txn.host) -m end .\(node.host) }"
            lines.append("    use_backend \(node.name)\(suffix) if \(isOwn)")
        }
        lines.append("    use_backend new\(suffix) if { method POST } { path /__admin/sandboxes }")
        if map != nil {
            for node in nodes { lines.append("    use_backend \(node.name)\(suffix) if { var(txn.node) -m str \(node.name) }") }
        }
        lines.append("    default_backend new\(suffix)")
        return lines.joined(separator: "\n")
    }

    /// The account that a call is for, where its client has one address for all nodes, and the node of that account.
    private func accountRules(_ map: String) -> [String] {
        var lines = ["    # The account that a call is for, where its client has one address for all nodes."]
        for fetch in fetches {
            let condition = fetch.condition.map { "\($0) " } ?? ""
            lines += [
                "    http-request set-var(txn.account) \(fetch.expression) if \(condition)!{ var(txn.account) -m found }",
                "    http-request set-var(txn.vendor) str(\(fetch.vendor)) if { var(txn.account) -m found } !{ var(txn.vendor) -m found }",
            ]
        }
        lines += [
            "    http-request set-var(txn.key) var(txn.vendor),concat(/,txn.account)",
            "    http-request set-var(txn.node) var(txn.key),map_str(\(map))",
        ]
        return lines
    }

    private var fetches: [TenantFetch] {
        var seen: Set<TenantFetch> = []
        return contracts.flatMap(\.operations).filter { !$0.isAdmin }.flatMap(TenantFetch.all).filter { seen.insert($0).inserted }
    }

    /// TLS that the nodes end: only the handshake's name is seen (RFC 6066 §3).
    private var passing: String {
        var lines = [
            "frontend sparring_passed", "    mode tcp", "    bind :::\(tlsPort ?? 443) v4v6", "    timeout client 1h",
            "    tcp-request inspect-delay 5s",
            "    tcp-request content accept if { req.ssl_hello_type 1 }",
        ]
        for node in nodes {
            lines.append(
                "    use_backend \(node.name)_passed if { req.ssl_sni -i \(node.host) } or { req.ssl_sni -i -m end .\(node.host) }")
        }
        lines.append("    default_backend new_passed")
        return lines.joined(separator: "\n")
    }

    // MARK: Nodes

    private var backends: [String] {
        var texts: [String] = []
        for (suffix, isTLS, isPassed) in [("", false, false), ("_tls", true, false), ("_passed", true, true)] {
            guard isPassed ? passesTLS : !isTLS || endsTLS else { continue }
            texts.append(backend("new\(suffix)", nodes, isTLS: isTLS, isPassed: isPassed, isNew: true))
            texts += nodes.map { backend($0.name + suffix, [$0], isTLS: isTLS, isPassed: isPassed, isNew: false) }
        }
        return texts
    }

    private func backend(_ name: String, _ nodes: [Node], isTLS: Bool, isPassed: Bool, isNew: Bool) -> String {
        var lines = ["backend \(name)"]
        if isPassed { lines += ["    mode tcp", "    timeout server 1h"] }
        if isNew {
            lines += [
                "    balance leastconn", "    # Where a node has just gone, another one takes the call.", "    option redispatch",
                "    retries 3",
            ]
        }
        if isNew, !isPassed { lines.append("    retry-on conn-failure 503") }
        // A node that drains serves what it has.
        lines += ["    option httpchk GET /__admin/health\(isNew ? "?accepting=true" : "")", "    http-check expect status 200"]
        for node in nodes {
            var line =
                "    server \(node.name) \(node.address):\((isTLS ? node.tlsPort : nil) ?? node.port) check inter \(Self.check) fall 1 rise 1"
            if isPassed { line += " port \(node.port)" }
            if isTLS, !isPassed, case .ended(_, let authority) = tls {
                line +=
                    " ssl sni str(\(node.host)) "
                    + (authority.map { "verify required ca-file \($0) verifyhost \(node.host)" } ?? "verify none")
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
