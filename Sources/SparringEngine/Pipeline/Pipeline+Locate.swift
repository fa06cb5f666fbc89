package import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// Why a request fits no operation or no sandbox, and what to answer.
struct Misplaced: Sendable {
    var status: Int
    var reason: String
    var nearest: [String] = []
    /// The place where the contract declares the nearest operation, and the actions of an overlay that would turn the call into it.
    var basis: ContractPlace?
    var actions: [JSON] = []
    /// The command with which a sandbox would answer the call.
    var stub: String?
    var headers: HTTPFields = [:]
    /// The path is the admin API's, which pages of other origins are not let near.
    var isAdmin = false
    /// The operation that the call is surely meant for.
    var meant: ContractOperation?
    /// The code of the finding in the sandbox's journal.
    var code = Finding.unplaced
    /// An answer in the vendor's own shape.
    var response: Response?
}

enum Location {
    case place(LocatedCall)
    case hosted(ContractOperation, RequestParts)
    case preflight(allowing: [HTTPRequest.Method])
    /// Sparring's own page.
    case page
    case nowhere(Misplaced)
}

extension Pipeline {
    /// Host, method and raw path lead to the operation; what the contract's `x-tenant` names leads to the sandbox.
    func locate(_ incoming: Incoming) -> Location {
        let head = incoming.head
        if let foreign = foreign(head) { return .nowhere(foreign) }
        if let place = stub(for: incoming) { return place }
        switch routes.match(method: head.method, target: head.target, host: head.headers.value(of: .host)) {
        case .found(let operation, let parameters):
            if operation.opensSocket, isForOwnPage(head) { return .page }
            let request = parts(of: head, parameters, incoming.body)
            return operation.isAdmin ? .hosted(operation, request) : place(incoming, operation, request)
        case .shared(let candidates):
            if candidates.allSatisfy(\.operation.opensSocket), isForOwnPage(head) { return .page }
            return locate(incoming, among: candidates)
        case .wrongMethod(let allowed, let isAdmin, let only):
            if head.method == .options, !isAdmin { return .preflight(allowing: allowed) }
            let allow = ([.options] + allowed).filter { $0 != .options || !isAdmin }.map(\.rawValue).joined(separator: ", ")
            return .nowhere(
                Misplaced(
                    status: 405, reason: "\(Self.words(head.target)) does not allow \(head.method)",
                    nearest: only.map { [words(of: $0, for: head)] } ?? [], basis: only?.place,
                    actions: only.map { routes.actions(making: $0, fit: head.method, target: head.target) } ?? [],
                    stub: isAdmin ? nil : stubCommand(for: head),
                    headers: [.allow: allow], isAdmin: isAdmin))
        case .malformedTarget(let reason): return .nowhere(Misplaced(status: 400, reason: "malformed request target: \(reason)"))
        case .notFound(let nearest):
            if isForOwnPage(head) { return .page }
            return .nowhere(
                Misplaced(
                    status: 404, reason: "no operation matches \(head.method) \(Self.words(head.target))",
                    nearest: nearest.map { words(of: $0, for: head) }, basis: nearest.first?.place,
                    actions: nearest.first.map { routes.actions(making: $0, fit: head.method, target: head.target) } ?? [],
                    stub: stubCommand(for: head),
                    isAdmin: ContractOperation.isOwn(path: RequestParts.path(of: head.target)),
                    meant: nearest.first { routes.isMisspelling(of: $0, method: head.method, target: head.target) }))
        }
    }

    /// The command with which a sandbox would answer a call that no contract has.
    private func stubCommand(for head: RequestHead) -> String? {
        StubCall.command(for: head.method.rawValue, head.target, like: vendors.all.flatMap(\.contract.operations))
    }

    /// An operation that a call may have meant, and what keeps it from being that.
    private func words(of operation: ContractOperation, for head: RequestHead) -> String {
        let difference = routes.difference(from: operation, method: head.method, target: head.target).map { " (\($0))" } ?? ""
        return "\(operation.qualifiedName): \(operation.method) \(operation.pathTemplate)\(difference)"
    }

    func place(_ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts) -> Location {
        guard let vendor = vendors[operation.vendor] else {
            return .nowhere(Misplaced(status: 404, reason: "no vendor \(operation.vendor)"))
        }
        let checked = operation.check(request)
        guard let (sandbox, tenant) = owner(of: operation, request, checked.body) ?? relayOwner(of: operation) else {
            return .nowhere(unknownTenant(incoming, operation, vendor, request, checked.body))
        }
        return place(incoming, operation, request, checked, of: tenant, in: sandbox, vendor)
    }

    func place(
        _ incoming: Incoming, _ operation: ContractOperation, _ request: RequestParts, _ checked: CheckedRequest, of tenant: Tenant,
        in sandbox: Sandbox, _ vendor: VendorEntry
    ) -> Location {
        let lane = lane(of: operation, incoming.origin, request, checked.body, sandbox)
        let base = addresses.base(of: incoming.head)
        var socket: Socket?
        if let channel = vendor.contract.channel(openedBy: operation) {
            if let full = fullOfSockets() { return .nowhere(full) }
            if let refusal = WebSocketHandshake.refusal(of: incoming.head) {
                return .nowhere(
                    Misplaced(
                        status: refusal.status, reason: "not a WebSocket handshake (RFC 6455 §4.2.1)",
                        response: Render.refusal(refusal, as: operation, request)))
            }
            socket = Socket(
                number: sandbox.sockets.nextNumber(), channel: channel, sandbox: sandbox, tenant: tenant, request: request,
                base: base.url, lane: lane,
                isLaneGiven: request.headers[.sparringLane].map { !$0.isEmpty && $0.laneName == lane } ?? false
            ) { [self] in timerFired($0, $1, $2, vendor) }
        }
        return .place(
            located(incoming, operation, request, checked, of: tenant, in: sandbox, lane: lane, base: base, socket, vendor))
    }

    /// The tenant that the request names; without such a naming, the tenant of the sandbox that the host names, else of `default`.
    func owner(of operation: ContractOperation, _ request: RequestParts, _ body: JSON?) -> (Sandbox, Tenant)? {
        for source in operation.tenant {
            guard let id = source.value(in: request, body: body) else { continue }
            if let tenant = world.tenant(operation.vendor, id), tenant.isCalled(id) {
                return world.sandbox(tenant.sandbox).map { ($0, tenant) }
            }
            // A token may be anybody's; an id is somebody's or a mistake.
            if !operation.hostNamesTenant || source.reading == .plain { return nil }
        }
        guard operation.hostNamesTenant, let sandbox = world.sandbox(sandboxName(for: request)) else { return nil }
        return sandbox.tenant(of: operation.vendor).map { (sandbox, $0) }
    }

    /// The place of a call that is passed on: the vendor knows the tenant, and the sandbox only keeps the entry.
    private func relayOwner(of operation: ContractOperation) -> (Sandbox, Tenant)? {
        guard relay?.covers(operation) == true, let sandbox = world.sandbox("default") ?? world.sandboxes.first else { return nil }
        return sandbox.tenant(of: operation.vendor).map { (sandbox, $0) }
    }

    /// A host that names none leads to `default` (``Addresses/sandbox(in:)``). A vendor's own host, called by the forward proxy, cannot name one: without a `default` it
    /// leads to the only sandbox that there is.
    func sandboxName(for request: RequestParts) -> String {
        let host = Authority(request.headers[.host] ?? "")?.host.lowercased() ?? ""
        if let named = addresses.current.sandbox(in: host) { return named }
        if addresses.current.emulates(host: host), world.sandbox("default") == nil, world.count == 1 {
            return world.sandboxes[0].id
        }
        return "default"
    }

    /// The caller's lane: from the header, else that of the causing call, else from the contract's `x-lane`, else the operation's name. A name that the sandbox does
    /// not keep apart (``Sandbox/keepsApart(lane:)``) counts as none.
    /// Names are kept in one form of Unicode, whichever the client sends.
    func lane(
        of operation: ContractOperation, _ origin: JournalEntry.Origin?, _ request: RequestParts, _ body: JSON?, _ sandbox: Sandbox
    ) -> String {
        if let lane = request.headers.value(of: .sparringLane), !lane.isEmpty, sandbox.keepsApart(lane: lane.laneName) {
            return lane.laneName
        }
        if let lane = origin?.lane { return lane }
        return named(operation, request, body, sandbox) ?? operation.qualifiedName
    }

    /// The lane of a message: the socket's, or the one that the message names. A lane from the opening's header holds for all of the socket's messages.
    func lane(of operation: ContractOperation, _ request: RequestParts, _ message: JSON, on socket: Socket) -> String {
        if socket.isLaneGiven || operation.lane.isEmpty { return socket.lane }
        return named(operation, request, message, socket.sandbox) ?? socket.lane
    }

    private func named(_ operation: ContractOperation, _ request: RequestParts, _ body: JSON?, _ sandbox: Sandbox) -> String? {
        for source in operation.lane {
            guard let value = source.value(in: request, body: body) else { continue }
            guard let name = source.reading == .issued ? sandbox.owner(of: value) : value else { continue }
            return sandbox.keepsApart(lane: name.laneName) ? name.laneName : nil
        }
        return nil
    }

    func unknownTenant(
        _ incoming: Incoming, _ operation: ContractOperation, _ vendor: VendorEntry, _ request: RequestParts, _ body: JSON?
    ) -> Misplaced {
        let wanted = operation.tenant.lazy.compactMap { $0.value(in: request, body: body) }.first ?? ""
        var misplaced =
            operation.hostNamesTenant && wanted.isEmpty
            ? Misplaced(
                status: 404, reason: "no sandbox is called \(sandboxName(for: request).quoted), which is what Host leads to",
                nearest: Nearest.words(to: sandboxName(for: request), in: world.sandboxes.map(\.id)))
            : Misplaced(
                status: 404, reason: "no sandbox has the \(vendor.name) \(vendor.vendor.tenantKey) \(wanted.quoted)",
                nearest: Nearest.words(to: wanted, in: world.tenantIds(of: vendor.name)))
        if let ended = world.ended(withTenant: wanted, of: vendor.name) { misplaced.reason += ": \(ended.words)" }
        if let name = vendor.contract.unknownTenantAnswer, let declared = operation.answer(name) {
            misplaced.response = Render.response(
                Answer(name, body: declared.example.map { .json($0) } ?? .none), declared, operation, request)
        }
        return misplaced
    }

    /// Why no further socket is opened; nil: one is.
    private func fullOfSockets() -> Misplaced? {
        guard let limit = limits.sockets else { return nil }
        let open = world.sandboxes.map { ($0.id, $0.openSockets.count) }.filter { $0.1 > 0 }
        guard open.reduce(0, { $0 + $1.1 }) >= limit else { return nil }
        let most = open.sorted { $0.1 > $1.1 }.prefix(5).map { "\($0) has \($1)" }.joined(separator: ", ")
        return Misplaced(
            status: 503, reason: "this server opens \(limit) sockets at once (--max-sockets): sandbox \(most)", headers: [.retryAfter: "5"])
    }

    private static func words(_ target: String) -> String { RequestParts.path(of: target).abbreviated(to: 200) }
}

extension HTTPField.Name {
    package static let sparringLane = HTTPField.Name("X-Sparring-Lane")!
}
