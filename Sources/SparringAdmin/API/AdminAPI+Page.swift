import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// The live page: at `/`, unless a vendor has a call there, and below `/__sparring`.
extension AdminAPI {
    func page(_ head: RequestHead, _ addresses: Addresses) -> Response {
        do throws(AdminProblem) {
            if let file = pageFiles?.file(PageFiles.index), Self.isForBrowser(head) {
                try guardAdmin(head, addresses, for: .pages)
                var headers = Self.pageHeaders
                headers[.contentType] = "text/html; charset=utf-8"
                headers[.vary] = "Accept"
                return Response(status: 200, headers: headers, body: .bytes(file.content))
            }
            try guardAdmin(head, addresses)
            let headers: HTTPFields = [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ]
            return Response(status: 200, headers: headers, body: .bytes(Array(text(addresses).utf8)))
        } catch {
            let isUnknown = error.name == "unauthorized"
            return Response.problem(isUnknown ? 401 : 403, error.detail, headers: error.headers)
        }
    }

    /// Operations of the tag "Page".
    func pageFile(_ name: String) throws -> Answer {
        guard let page = pageFiles else { throw AdminProblem("page-off", "this server has no live page: it was started with --no-page") }
        guard let file = page.file(name) else { throw AdminProblem("file-unknown", "the live page has no file \(name.quoted)") }
        return Answer(file.answer, body: .bytes(file.content), headers: Self.pageHeaders)
    }

    /// Browsers name HTML among what they accept when somebody opens a page; programs do not.
    private static func isForBrowser(_ head: RequestHead) -> Bool { head.headers[.accept]?.contains("text/html") == true }

    /// All that the page shows comes from clients under test, so it may run nothing but its own files and talk to nobody but this server (Content Security Policy
    /// Level 3; Trusted Types §4.1 keep text from ever becoming markup).
    private static let pageHeaders: HTTPFields = [
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
            "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; "),
        .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .cacheControl: "no-cache",
    ]

    /// For a program: which sandboxes there are, and what to do with them.
    private func text(_ addresses: Addresses) -> String {
        let url = addresses.baseURL
        var lines = ["Sparring \(options.version)" + (world.node.map { ", node \($0.name)" } ?? ""), "", "Sandboxes"]
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
        if pageFiles != nil { lines += ["Live page, in a browser", "  \(url)/", ""] }
        return lines.joined(separator: "\n")
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
