import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringLocks

/// The admin API's way: guarded, checked, performed, delivered.
extension Pipeline {
    func administer(_ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts) async {
        let addresses = addresses.withLock { $0 }
        var answer: Answer
        do {
            try guardAdmin(incoming.head, addresses)
            let checked = operation.check(request)
            guard checked.isUsable else { throw malformed(checked.violations) }
            let call = AdminAPI.Call(
                operation: operation, request: request, body: checked.body ?? [:], addresses: addresses, metrics: metrics,
                onHangUp: { incoming.exchange?.onHangUp($0) })
            answer = try await admin.perform(call)
        } catch let problem as AdminAPI.Problem {
            answer = draw(problem, operation)
        } catch {
            answer = draw(AdminAPI.Problem(name: "internal-error", detail: "Sparring failed: \(error)"), operation)
        }
        metrics.count(operation.qualifiedName, answer.name)
        guard let declared = operation.answer(answer.name) else {
            let response = Render.problem(500, "\(operation.qualifiedName) does not declare the answer '\(answer.name)'")
            return incoming.deliver(Incoming.Ending(delivery: .answer(response)))
        }
        incoming.deliver(Incoming.Ending(delivery: .answer(Render.response(answer, declared, operation, request)), answerName: answer.name))
    }

    /// Pages of other origins and names that merely resolve to this machine (DNS rebinding) are kept out; so is everybody without the
    /// token where there is one.
    private func guardAdmin(_ head: RequestHead, _ addresses: Addresses) throws(AdminAPI.Problem) {
        let host = head.headers[.host] ?? ""
        guard addresses.isOwn(host: Addresses.host(of: host)) else {
            throw AdminAPI.Problem(name: "forbidden", detail: "'\(host)' is not a name of this server; start it with --host to add one")
        }
        if let origin = head.headers[.origin], origin != "http://\(host)", origin != "https://\(host)" {
            throw AdminAPI.Problem(name: "forbidden", detail: "pages of \(origin) may not use the admin API")
        }
        if let token = admin.facts.token, head.headers[.authorization] != "Bearer \(token)" {
            throw AdminAPI.Problem(
                name: "unauthorized", detail: "the admin API of this server needs its token: Authorization: Bearer …",
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    private func malformed(_ violations: [Violation]) -> AdminAPI.Problem {
        AdminAPI.Problem(
            name: "request-malformed", detail: violations.map(\.description).joined(separator: "; "),
            members: ["violations": .array(violations.map { ["pointer": .string($0.pointer), "message": .string($0.message)] })])
    }

    private func draw(_ problem: AdminAPI.Problem, _ operation: ContractOperation) -> Answer {
        let status = operation.answer(problem.name)?.status ?? 500
        var body: JSON = [
            "type": .string("urn:sparring:problem:\(problem.name)"), "title": .string(Render.title(of: status)),
            "status": .integer(Int64(status)), "detail": .string(problem.detail),
        ]
        for (name, value) in problem.members { body[name] = value }
        return Answer(problem.name, body, headers: problem.headers, cause: problem.detail)
    }
}
