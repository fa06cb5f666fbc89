import HTTPTypes
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringLocks
import SparringSandbox

/// The page at `/`, unless a vendor has a call there: which sandboxes there are, and what to do with them.
extension AdminAPI {
    func page(_ head: RequestHead, _ addresses: Addresses) -> Response {
        do throws(AdminProblem) {
            try guardAdmin(head, addresses)
            let headers: HTTPFields = [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ]
            return Response(status: 200, headers: headers, body: .bytes(Array(page(addresses).utf8)))
        } catch {
            let isUnknown = error.name == "unauthorized"
            return Render.problem(isUnknown ? 401 : 403, error.detail, headers: error.headers)
        }
    }

    private func page(_ addresses: Addresses) -> String {
        let url = addresses.baseURL
        var lines = ["Sparring \(facts.version)", "", "Sandboxes"]
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
