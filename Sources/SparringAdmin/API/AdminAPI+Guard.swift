import HTTPTypes
import SparringContract
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringSandbox

/// The guard of the admin API: who may use it.
extension AdminAPI {
    enum Access {
        /// Allowed under the server's names only, and with the token.
        case control
        /// Without the token, as a browser opens a page: also by a link in a page of another origin, which learns nothing of it.
        case pages
        /// Under any name and without the token, as the probes of container platforms call; not to pages of other origins.
        case everybody
    }

    /// Pages of other origins and names that merely resolve to this machine (DNS rebinding) are kept out; so is everybody without the
    /// token where there is one.
    ///
    func guardAdmin(_ head: RequestHead, _ addresses: Addresses, for access: Access = .control) throws(AdminProblem) {
        let host = head.authority ?? ""
        if access != .everybody { try guardName(host, addresses) }
        try guardOrigin(head, host)
        if access != .pages || !head.isNavigation { try guardSite(head) }
        if access == .control, let token = options.adminToken, head.headers[.authorization]?.isSame(as: "Bearer \(token)") != true {
            throw AdminProblem(
                "unauthorized",
                head.headers[.authorization] == nil
                    ? "the admin API of this server requires its token: Authorization: Bearer …" : "this is not the token of the admin API",
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    private func guardName(_ host: String, _ addresses: Addresses) throws(AdminProblem) {
        guard let authority = Authority(host), addresses.isOwn(host: authority.host) else {
            throw AdminProblem("forbidden", "\(host.quoted) is not a name of this server; start it with --host to add one")
        }
    }

    private func guardOrigin(_ head: RequestHead, _ host: String) throws(AdminProblem) {
        if let origin = head.headers[.origin], !["http://\(host)", "https://\(host)"].containsSame(as: origin) {
            throw AdminProblem("forbidden", "pages of \(origin.abbreviated(to: 100)) may not use the admin API")
        }
    }

    private func guardSite(_ head: RequestHead) throws(AdminProblem) {
        // Said by browsers alone, of requests without an Origin too: images, links, plain GETs (W3C Fetch Metadata §2.4).
        if let site = head.headers[.secFetchSite], !["same-origin", "none"].containsSame(as: site) {
            throw AdminProblem(
                "forbidden", "a page of another origin may not use the admin API (Sec-Fetch-Site: \(site.abbreviated(to: 100)))")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    fileprivate static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
}

extension RequestHead {
    /// Somebody opens a page of their own in a browser (W3C Fetch Metadata §2.1, §2.2).
    fileprivate var isNavigation: Bool { headers[.secFetchMode] == "navigate" && headers[.secFetchDest] == "document" }
}
