import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringLocks

/// The admin API's way: guarded, checked, performed, delivered.
extension Pipeline {
    func administer(_ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts) async {
        let addresses = addresses.withLock { $0 }
        var (operation, request) = (operation, request)
        var answer: Answer
        do {
            try guardAdmin(incoming.head, addresses)
            let checked = operation.check(request)
            // A form or plain text that happens to be JSON is what a page of another origin can send without asking first (Fetch standard, CORS).
            guard checked.isUsable, operation.requestBody == nil || checked.violations.isEmpty else { throw malformed(checked.violations) }
            let given = AdminCall(
                operation: operation, request: request, body: checked.body ?? [:], addresses: addresses, metrics: metrics,
                onHangUp: { incoming.exchange?.onHangUp($0) })
            let call = try await admin.meant(by: given)
            (operation, request) = (call.operation, call.request)
            answer = try await performed(call)
        } catch let problem as AdminProblem {
            answer = render(problem, operation)
        } catch {
            answer = render(AdminProblem(name: "internal-error", detail: "Sparring failed: \(error)"), operation)
        }
        metrics.count(operation.qualifiedName, answer.name)
        guard let declared = operation.answer(answer.name) else {
            let response = Render.problem(500, "\(operation.qualifiedName) does not declare the answer '\(answer.name)'")
            return incoming.deliver(Incoming.Ending(delivery: .answer(response)))
        }
        incoming.deliver(Incoming.Ending(delivery: .answer(Render.response(answer, declared, operation, request)), answer: declared))
    }

    /// A call whose sandbox is deleted or reset meanwhile is as one that came after that.
    private func performed(_ call: AdminCall) async throws -> Answer {
        while true {
            do { return try await admin.perform(call) } catch is SandboxGone { continue }
        }
    }

    /// Pages of other origins and names that merely resolve to this machine (DNS rebinding) are kept out; so is everybody without the
    /// token where there is one.
    func guardAdmin(_ head: RequestHead, _ addresses: Addresses) throws(AdminProblem) {
        let host = head.authority
        guard let authority = Authority(host), addresses.isOwn(host: authority.host) else {
            throw AdminProblem(
                name: "forbidden", detail: "\(host.quoted) is not a name of this server; start it with --host to add one")
        }
        if let origin = head.headers[.origin], !["http://\(host)", "https://\(host)"].containsSame(as: origin) {
            throw AdminProblem(name: "forbidden", detail: "pages of \(origin.abbreviated(to: 100)) may not use the admin API")
        }
        // Said by browsers alone, of requests without an Origin too: images, links, plain GETs (W3C Fetch Metadata §2.4).
        if let site = head.headers[.secFetchSite], !["same-origin", "none"].containsSame(as: site) {
            throw AdminProblem(
                name: "forbidden",
                detail: "a page of another origin may not use the admin API (Sec-Fetch-Site: \(site.abbreviated(to: 100)))")
        }
        if let token = admin.facts.token, head.headers[.authorization]?.isSame(as: "Bearer \(token)") != true {
            throw AdminProblem(
                name: "unauthorized", detail: "the admin API of this server needs its token: Authorization: Bearer …",
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    private func malformed(_ violations: [Violation]) -> AdminProblem {
        AdminProblem(
            name: "request-malformed", detail: violations.map(\.description).joined(separator: "; "),
            members: [
                "violations": .array(
                    violations.map { violation in
                        let place = violation.part == .contentType ? "Content-Type" : violation.pointer
                        return ["pointer": .string(place), "message": .string(violation.message)]
                    })
            ])
    }

    private func render(_ problem: AdminProblem, _ operation: ContractOperation) -> Answer {
        let status = operation.answer(problem.name)?.status ?? 500
        let detail = problem.detail.abbreviated(to: 2000)
        var body: JSON = [
            "type": .string("urn:sparring:problem:\(problem.name)"), "title": .string(Render.title(of: status)),
            "status": .integer(Int64(status)), "detail": .string(detail),
        ]
        for (name, value) in problem.members { body[name] = value }
        return Answer(problem.name, body, headers: problem.headers, cause: detail)
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
