import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringLocks
import SparringSandbox

/// Who may use the admin API.
extension AdminAPI {
    /// Pages of other origins and names that merely resolve to this machine (DNS rebinding) are kept out; so is everybody without the
    /// token where there is one.
    ///
    /// - Parameter isOpen: the call is allowed under any name and without the token, as the probes of container platforms make it; not to pages of other
    ///   origins.
    func guardAdmin(_ head: RequestHead, _ addresses: Addresses, isOpen: Bool = false) throws(AdminProblem) {
        let host = head.authority ?? ""
        if !isOpen { try guardName(host, addresses) }
        try guardOrigin(head, host)
        if !isOpen, let token = facts.token, head.headers[.authorization]?.isSame(as: "Bearer \(token)") != true {
            throw AdminProblem(
                name: "unauthorized",
                detail: head.headers[.authorization] == nil
                    ? "the admin API of this server requires its token: Authorization: Bearer …" : "this is not the token of the admin API",
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    private func guardName(_ host: String, _ addresses: Addresses) throws(AdminProblem) {
        guard let authority = Authority(host), addresses.isOwn(host: authority.host) else {
            throw AdminProblem(
                name: "forbidden", detail: "\(host.quoted) is not a name of this server; start it with --host to add one")
        }
    }

    private func guardOrigin(_ head: RequestHead, _ host: String) throws(AdminProblem) {
        if let origin = head.headers[.origin], !["http://\(host)", "https://\(host)"].containsSame(as: origin) {
            throw AdminProblem(name: "forbidden", detail: "pages of \(origin.abbreviated(to: 100)) may not use the admin API")
        }
        // Said by browsers alone, of requests without an Origin too: images, links, plain GETs (W3C Fetch Metadata §2.4).
        if let site = head.headers[.secFetchSite], !["same-origin", "none"].containsSame(as: site) {
            throw AdminProblem(
                name: "forbidden",
                detail: "a page of another origin may not use the admin API (Sec-Fetch-Site: \(site.abbreviated(to: 100)))")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
