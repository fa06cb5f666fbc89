import HTTPTypes
import SparringHTTP
import SparringJSON
import SparringLocks

/// The page at `/`, unless a vendor has a call there: which sandboxes there are, and what to do with them.
extension Pipeline {
    /// A vendor may open a socket at `/` (RFC 9110 §7.8); a request without `Upgrade` gets the page.
    func isForOwnPage(_ head: RequestHead) -> Bool {
        [.get, .head].contains(head.method) && Self.split(head.target).path == "/" && head.headers[.upgrade] == nil
    }

    func answerPage(_ incoming: Incoming) {
        let response: Response
        do throws(AdminProblem) {
            let addresses = addresses.withLock { $0 }
            try guardAdmin(incoming.head, addresses)
            let headers: HTTPFields = [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ]
            response = Response(status: 200, headers: headers, body: .bytes(Array(page(addresses).utf8)))
        } catch {
            let isUnknown = error.name == "unauthorized"
            response = Render.problem(isUnknown ? 401 : 403, error.detail, headers: error.headers)
        }
        metrics.count("page", String(response.status))
        incoming.deliver(Incoming.Ending(delivery: .answer(response)))
    }

    private func page(_ addresses: Addresses) -> String {
        let url = addresses.baseURL
        var lines = ["Sparring \(admin.facts.version)", "", "Sandboxes"]
        for sandbox in world.sandboxes {
            let tenants = sandbox.tenants.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.id)" }.joined(separator: ", ")
            lines.append("  \(sandbox.id)  seed \(sandbox.seed)" + (sandbox.scenario.map { "  scenario \($0)" } ?? "") + "  \(tenants)")
        }
        if world.sandboxes.isEmpty { lines.append("  none: sparring sandbox create --url \(url)") }
        lines += [
            "", "Commands",
            "  sparring journal --follow --url \(url)         see each call as it happens",
            "  sparring fault add WHERE EFFECT --url \(url)   break something",
            "  sparring verify --url \(url)                   judge the client",
            "", "Admin API", "  \(url)/__admin/health", "  \(url)/__admin/sandboxes", "",
        ]
        return lines.joined(separator: "\n")
    }
}

extension HTTPField.Name {
    fileprivate static let xContentTypeOptions = HTTPField.Name("X-Content-Type-Options")!
}
