import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringLocks

/// Vendors that declare one path: the tenant decides which of them a call is for.
extension Pipeline {
    /// The operation that the head of a request leads to, before the body has been read.
    ///
    /// - Returns: nil if no operation fits, or if only the body can tell whose call it is.
    func operation(for head: RequestHead) -> (ContractOperation, RequestParts)? {
        if foreign(head) != nil { return nil }
        let stubs = stubs(for: head)
        if !stubs.isEmpty { return chosen(among: stubs, head).map { ($0.operation, parts(of: head, $0.parameters, [])) } }
        return switch routes.match(method: head.method, target: head.target, host: head.headers[.host]) {
        case .found(let operation, let parameters): (operation, parts(of: head, parameters, []))
        case .shared(let candidates):
            if case .one(let candidate) = chosen(among: candidates.map { ($0, parts(of: head, $0.parameters, []), nil) }) {
                (candidate.operation, parts(of: head, candidate.parameters, []))
            } else {
                nil
            }
        case .wrongMethod, .malformedTarget, .notFound: nil
        }
    }

    func parts(of head: RequestHead, _ parameters: PathParameters, _ body: [UInt8]) -> RequestParts {
        let mark = head.target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { PercentCoding.fields(head.target[head.target.index(after: $0)...]) } ?? []
        var headers = head.headers
        if let authority = head.targetAuthority { headers[.host] = authority }  // RFC 9112 §3.2.2
        return RequestParts(
            method: head.method, rawPath: head.target, pathParameters: parameters, query: query, headers: headers, body: body)
    }

    /// A tenant in the head decides; if the head names none of ours, a tenant in the body does.
    func locate(_ incoming: Incoming, among candidates: [Routes.Candidate]) -> Location {
        let requests = candidates.map { ($0, parts(of: incoming.head, $0.parameters, incoming.body)) }
        var choice = chosen(among: requests.map { ($0, $1, nil) })
        if case .none = choice { choice = chosen(among: requests.map { ($0, $1, $0.operation.check($1).body) }) }
        switch choice {
        case .one(let candidate):
            return place(incoming, candidate.operation, parts(of: incoming.head, candidate.parameters, incoming.body))
        case .tied(let tied):
            let names = tied.map(\.operation.qualifiedName).joined(separator: " and ")
            return .nowhere(
                Misplaced(
                    status: 404, reason: "the call matches \(names), and both know its tenant: use a host that only one of them has",
                    nearest: tied.map { "\($0.operation.qualifiedName): \($0.operation.method) \($0.operation.pathTemplate)" }))
        case .none:
            // Nobody has the tenant: the vendor of the host answers, or each says why not.
            let ofHost = requests.filter { $0.0.isOfHost }
            if ofHost.count == 1 { return place(incoming, ofHost[0].0.operation, ofHost[0].1) }
            // Only one of them is given what it needs to find its tenant.
            let naming = requests.filter { candidate, request in
                let body = candidate.operation.check(request).body
                return candidate.operation.tenant.contains { $0.value(in: request, body: body) != nil }
            }
            if naming.count == 1 { return place(incoming, naming[0].0.operation, naming[0].1) }
            let unknown = requests.compactMap { candidate, request in
                vendors[candidate.operation.vendor].map {
                    unknownTenant(incoming, candidate.operation, $0, request, candidate.operation.check(request).body)
                }
            }
            return .nowhere(
                Misplaced(
                    status: 404, reason: unknown.map(\.reason).joined(separator: "; "), nearest: Array(unknown.flatMap(\.nearest).prefix(3))
                ))
        }
    }

    private enum Choice {
        case one(Routes.Candidate)
        /// All of them have the tenant, and nothing distinguishes them.
        case tied([Routes.Candidate])
        case none
    }

    /// Chooses among the candidates whose tenant exists: the one whose host is called, then the one whose source comes first.
    private func chosen(among candidates: [(Routes.Candidate, RequestParts, JSON?)]) -> Choice {
        var known: [(candidate: Routes.Candidate, source: Int)] = []
        for (candidate, request, body) in candidates {
            if let source = knownSource(of: candidate.operation, request, body) { known.append((candidate, source)) }
        }
        if known.contains(where: \.candidate.isOfHost) { known.removeAll { !$0.candidate.isOfHost } }
        let first = known.map(\.source).min()
        let best = known.filter { $0.source == first }.map(\.candidate)
        return best.count > 1 ? .tied(best) : best.first.map { .one($0) } ?? .none
    }

    /// The position of the source that names an existing tenant; nil if the first source with a value names none of ours.
    private func knownSource(of operation: ContractOperation, _ request: RequestParts, _ body: JSON?) -> Int? {
        for (index, source) in operation.tenant.enumerated() where source.value(in: request, body: body) != nil {
            return owner(of: operation, request, body) == nil ? nil : index
        }
        return nil
    }
}
