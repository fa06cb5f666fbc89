import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON

/// Reads the steps of a script one after the other, and decides what becomes of each.
struct ProbePlanReader {
    private let routes: Routes
    private let contracts: [Contract]
    private let targets: VendorTargets
    private let terms: ProbePlan.Terms
    private let vendor: String
    private let isOfRefusals: Bool
    /// Names in what is sent to targets.
    private var wanted: Set<String> = []
    /// Names that nothing will yield.
    private var unknown: Set<String> = []
    /// The operations that opened sockets, by the sockets' names; nil: it is not opened.
    private var sockets: [String: ContractOperation?] = [:]

    /// - Parameter routes: of the contracts.
    init(_ script: ProbeScript, _ routes: Routes, _ contracts: [Contract], _ targets: VendorTargets, _ terms: ProbePlan.Terms) {
        (self.routes, self.contracts, self.targets, self.terms) = (routes, contracts, targets, terms)
        vendor = script.name.split(separator: "/").first.map(String.init) ?? ""
        isOfRefusals = script.isOfRefusals
        wanted = Set(script.steps.filter { isAtVendor($0) }.flatMap { ProbeNames.names(in: $0.text) })
    }

    /// Whether a step is sent to a target at all.
    private func isAtVendor(_ step: ProbeStep) -> Bool {
        switch step.deed {
        case .call(let request), .open(_, let request): target(of: operation(of: request)) != nil
        case .message, .close: true
        case .act: false
        }
    }

    private func target(of operation: ContractOperation?) -> VendorTargets.Target? {
        operation.map { targets.target(of: $0) } ?? targets.all.first { $0.vendor == vendor && $0.part == nil }
    }

    mutating func standing(of step: ProbeStep) -> ProbePlan.Standing {
        let standing = decide(step)
        switch standing {
        case .left, .skipped: unknown.formUnion(ProbeNames.names(in: step.expected.text))
        case .sent, .asked: unknown.subtract(ProbeNames.names(in: step.expected.text))
        case .supplied(let names): unknown.formUnion(Set(ProbeNames.names(in: step.expected.text)).subtracting(names))
        }
        if case .open(let socket, _) = step.deed, !standing.isSent { sockets[socket] = .some(nil) }
        return standing
    }

    private mutating func decide(_ step: ProbeStep) -> ProbePlan.Standing {
        if let name = ProbeNames.names(in: step.text).first(where: unknown.contains) {
            return (isAtVendor(step) ? nil : supplied(step)) ?? .left("nothing yields {\(name)}")
        }
        switch step.deed {
        case .act(let request): return act(request, step)
        case .call(let request): return call(request, step)
        case .open(let socket, let request):
            let standing = call(request, step)
            if case .sent = standing { sockets[socket] = operation(of: request) }
            return standing
        case .message(let socket, let text): return message(text, on: socket)
        case .close(let socket, _):
            guard let opener = sockets[socket] ?? nil, let target = targets.target(of: opener) else { return .skipped }
            return .sent(target, operation: opener.qualifiedName)
        }
    }

    private func act(_ request: ProbeStep.Request, _ step: ProbeStep) -> ProbePlan.Standing {
        if terms.hasHand { return .asked }
        if ["journal", "devices"].contains(where: { request.target.hasPrefix($0) }) { return .skipped }
        if request.target == "credentials" { return supplied(step) ?? .left("no --credential and no --acts") }
        return .left("no --acts")
    }

    /// The step is done at the fresh sandbox only, if each credential that it would yield and that the vendor is sent can be supplied.
    private func supplied(_ step: ProbeStep) -> ProbePlan.Standing? {
        if terms.supplies.isEmpty { return nil }
        let names = ProbeNames.names(in: step.expected.text).filter(wanted.contains)
        return names.allSatisfy { terms.supplies.contains(String($0.prefix { $0 != "-" })) } ? .supplied(names) : nil
    }

    private func call(_ request: ProbeStep.Request, _ step: ProbeStep) -> ProbePlan.Standing {
        let operation = operation(of: request)
        let vendor = operation?.vendor ?? vendor
        guard let target = target(of: operation) else { return supplied(step) ?? .left(lack(of: operation, vendor)) }
        let name = operation?.qualifiedName ?? "\(vendor).*"
        if operation?.pathTemplate.hasPrefix(Self.invented) == true, !isAllowed(name) {
            return .left("its path is Sparring's own: --overlay with the vendor's, or --allow \(name)")
        }
        if isOfRefusals || Self.safe.contains(request.method) || isAllowed(name) { return .sent(target, operation: name) }
        return .left("--allow \(name)")
    }

    private func lack(of operation: ContractOperation?, _ vendor: String) -> String {
        guard let operation else { return "no --target for \(vendor)" }
        if targets.isBrands(operation), targets.vendors.contains(vendor) {
            return "the brand's own: --target \(vendor).\(operation.tag)=… says where it is"
        }
        return "no --target for \(operation.qualifiedName)"
    }

    /// Begins the paths of what vendors have, but have not published.
    private static let invented = "/mock/"

    /// RFC 9110 §9.2.1.
    private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]

    private func message(_ text: String, on socket: String) -> ProbePlan.Standing {
        guard let opener = sockets[socket] ?? nil, let target = targets.target(of: opener) else { return .left("\(socket) is not opened") }
        let channel = contracts.first { $0.vendor == opener.vendor }?.channel(openedBy: opener)
        var name = "\(opener.vendor).*"
        if let channel, let read = try? channel.read(Array(text.utf8)),
            case .found(let operation) = channel.match(read.message, isText: read.isText)
        {
            name = operation.qualifiedName
        }
        return isOfRefusals || isAllowed(name) ? .sent(target, operation: name) : .left("--allow \(name)")
    }

    private func isAllowed(_ name: String) -> Bool {
        terms.allowed.contains { $0 == name || $0.hasSuffix(".*") && name.hasPrefix($0.dropLast()) }
    }

    private func operation(of request: ProbeStep.Request) -> ContractOperation? {
        switch routes.match(method: request.method, target: request.target, host: nil) {
        case .found(let operation, _): operation
        case .shared(let candidates):
            candidates.first { $0.operation.vendor == vendor }?.operation ?? candidates.first?.operation
        case .wrongMethod, .malformedTarget, .notFound: nil
        }
    }
}
