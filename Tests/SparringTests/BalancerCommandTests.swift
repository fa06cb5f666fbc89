import Foundation
import SparringJSON
import Support
import Testing

/// The output of `sparring balancer haproxy`, and its refusals. HAProxy itself looks at it in `make nodes`.
@Suite struct BalancerCommandTests {
    private static func haproxy(_ words: [String]) async throws -> Command.End {
        try await sparring(["balancer", "haproxy"] + words, environment: [:])
    }

    @Test func `new sandboxes go to any node, all else by the host`() async throws {
        let shown = try await Self.haproxy(
            ["--node", "a=10.0.0.1", "--node", "b=10.0.0.2", "--host", "sparring.test", "--node-port", "9080"])
        #expect(shown.status == 0, "\(shown.errors)")
        let lines = shown.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in [
            "use_backend a if { var(txn.host) -m str a.sparring.test } or { var(txn.host) -m end .a.sparring.test }",
            "use_backend new if { method POST } { path /__admin/sandboxes }", "balance leastconn",
            "option httpchk GET /__admin/health?accepting=true", "server b 10.0.0.2:9080 check inter 2s fall 1 rise 1",
            "use_backend b_passed if { req.ssl_sni -i b.sparring.test } or { req.ssl_sni -i -m end .b.sparring.test }",
            "server a 10.0.0.1:8443 check inter 2s fall 1 rise 1 port 9080",
        ] { #expect(lines.contains(line), "\(line)\n\(shown.output)") }
        #expect(!shown.output.contains("map_str"))
    }

    @Test func `accounts are looked for where each contract has them, and what cannot be seen is named`() async throws {
        let shown = try await Self.haproxy(["--node", "a=10.0.0.1", "--map", "/etc/haproxy/accounts.map", "--no-tls"])
        #expect(shown.status == 0, "\(shown.errors)")
        for part in [
            "set-var(txn.account) path,field(4,/),url_dec if { path_beg /api/account/ } !{ var(txn.account) -m found }",
            "set-var(txn.account) req.hdr(asapp-api-id),url_dec", "set-var(txn.account) url_param(asapp-api-id),url_dec",
            "set-var(txn.vendor) str(liveperson) if", "map_str(/etc/haproxy/accounts.map)", "use_backend a if { var(txn.node) -m str a }",
        ] { #expect(shown.output.contains(part), "\(part)\n\(shown.output)") }
        #expect(!shown.output.contains("bind :::8443"))
    }

    @Test(arguments: [
        ([], "--node: give at least one, such as --node a=10.0.0.1"), (["--node", "a"], "'a' is not a name and a host or address"),
        (["--node", "A=10.0.0.1"], "'A' cannot be a node's name"), (["--node", "a=10.0.0.1:80"], "is not a name and a host or address"),
        (["--node", "a=x", "--node", "a=y"], "'a' is given twice"), (["--node", "a=x", "--host", "a b"], "'a b' is not a domain"),
        (["--node", "a=x", "--map", "/a b"], "'/a b' has a character that HAProxy's file cannot have in a path"),
        (["--node", "a=x", "--no-tls", "--certificate", "c.pem"], "cannot be used together"),
        (["--node", "a=x", "--port", "0"], "--port must be from 1 to 65535"),
    ])
    func `what HAProxy could not take is refused`(_ words: [String], _ expected: String) async throws {
        let refused = try await Self.haproxy(words)
        #expect(refused.status == 64 && refused.errors.contains(expected), "\(refused)")
    }
}
