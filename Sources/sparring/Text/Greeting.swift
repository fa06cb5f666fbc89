import SparringAdmin
import SparringEngine
import SparringJSON
import SparringSandbox

/// The output of `serve` once it is ready: where everything is, and three commands to try.
enum Greeting {
    static func text(_ server: Server, _ addresses: Addresses, token: String?) -> String {
        var lines = ["Sparring \(sparringVersion)\(server.world.node.map { ", node \($0.name)," } ?? "") is ready.", ""]
        lines.append("  base URL      \(addresses.baseURL)")
        if let tls = addresses.tlsBaseURL { lines.append("  with TLS      \(tls)   (trust the CA that `sparring ca` prints)") }
        if let proxy = addresses.proxyPort {
            lines.append("  proxy         http://127.0.0.1:\(proxy)   (for a client's own proxy setting)")
        }
        if server.showsPage { lines.append("  live page     \(addresses.baseURL)/") }
        for (place, (name, port)) in addresses.tlsDefects.sorted(by: { $0.key < $1.key }).enumerated() {
            lines.append("  " + padded(place == 0 ? "TLS defects" : "", 14) + padded(name, 20) + "port \(port)")
        }
        if let token {
            lines.append("  admin token   \(token)")
            lines.append("                export SPARRING_ADMIN_TOKEN=\(token)")
        }
        for sandbox in server.world.sandboxes {
            lines += ["", "Sandbox \(sandbox.id) (" + (sandbox.scenario.map { "scenario \($0), " } ?? "") + "seed \(sandbox.seed))"]
            for (vendor, published) in server.engine.published(sandbox, addresses) {
                lines.append("")
                var name = vendor
                for (key, value) in published.object ?? [:] {
                    guard let text = shown(value) else { continue }
                    lines.append("  " + padded(name, 12) + padded(key, 22) + text)
                    name = ""
                }
            }
        }
        lines += ["", "Try:"] + commands(server, addresses) + ["", ""]
        return lines.joined(separator: "\n")
    }

    private static func commands(_ server: Server, _ addresses: Addresses) -> [String] {
        let url = addresses.port == 8080 ? "" : " --url \(addresses.baseURL)"
        let call = server.world.sandboxes.first.flatMap { server.engine.exampleCall(in: $0) } ?? String(AdminCall.readHealth.path)
        return [
            "  curl -s '\(addresses.baseURL)\(call)'",
            "  sparring credential mint --form jwt --subject ada\(url)",
            "  sparring journal --follow\(url)",
        ]
    }

    /// Objects are left to `sparring sandbox show`.
    private static func shown(_ value: JSON) -> String? {
        if value.string?.contains("\n") == true { return "(`sparring sandbox show` prints it)" }
        return value.strings(joinedBy: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
