public import HTTPTypes
internal import SparringJSON

/// All operations of all contracts but the messages of sockets, found by method and request-target; an operation's aliases (`x-aliases`) lead to
/// it as its path does. The most literal path wins, segment by segment from the left; then the most `x-query` constants; if two are still left,
/// the host decides, by their contracts' `servers`. If operations of several vendors are left and each says where a call names its tenant, the
/// caller of ``match(method:target:host:)`` has to find out whose tenant it is.
public struct Routes: Sendable {
    /// The routes by number of segments, each list in the order in which they are tried.
    private var routes: [[Route]] = []
    /// The same by method.
    private var byMethod: [HTTPRequest.Method: [[Route]]] = [:]

    /// - Throws: ``ContractError`` where two operations fit the same call and neither path, `x-query`, server host nor tenant distinguishes them.
    public init(_ contracts: [Contract]) throws(ContractError) {
        var known: [String: Contract] = [:]
        for contract in contracts {
            if let other = known.updateValue(contract, forKey: contract.vendor) {
                throw ContractError(file: contract.file, message: "vendor '\(contract.vendor)' already has the contract \(other.file)")
            }
            for contract in [contract, contract.admin].compactMap(\.self) {
                for operation in contract.operations where !operation.isMessage {
                    for template in [operation.template] + operation.aliases {
                        try insert(
                            Route(
                                operation: operation, template: template, hosts: contract.hosts, vendorHosts: contract.vendorHosts,
                                file: contract.file))
                    }
                }
            }
        }
        for method in Set(routes.joined().map(\.operation.method)) {
            byMethod[method] = routes.map { $0.filter { $0.operation.method == method } }
        }
    }

    private mutating func insert(_ new: Route) throws(ContractError) {
        var new = new
        let count = new.template.segments.count
        while routes.count <= count { routes.append([]) }
        for (index, route) in routes[count].enumerated() where route.isAmbiguous(with: new) {
            let (operation, other) = (new.operation, route.operation)
            guard new.isTold(from: route) else {
                throw ContractError(
                    file: new.file, line: operation.line,
                    message: "\(operation.qualifiedName) and \(other.qualifiedName) (\(route.file):\(other.line)) fit the same calls: "
                        + "\(operation.method) \(new.template.text) and \(route.template.text)")
            }
            let byTenant = new.isTold(byTenantFrom: route)
            routes[count][index] = route.sharing(byTenant: byTenant)
            new = new.sharing(byTenant: byTenant)
        }
        // After those of its rank, so that the contracts' order decides the order of trying.
        routes[count].insert(new, at: routes[count].firstIndex(where: new.precedes) ?? routes[count].endIndex)
    }
}

extension Routes {
    /// One of the operations that a call may be for.
    public struct Candidate: Sendable {
        public let operation: ContractOperation
        /// The path's, decoded.
        public let parameters: PathParameters
        /// The call's host is one of its contract's `servers` or `x-vendor-hosts`.
        public let isOfHost: Bool
    }

    public enum Match: Sendable {
        /// `parameters`: the path's, decoded.
        case found(ContractOperation, parameters: PathParameters)
        /// Two or more operations of different vendors: the tenant decides.
        case shared([Candidate])
        /// The path is an operation's, but not with this method.
        /// `only`: the operation, where there is a single one.
        case wrongMethod(allowed: [HTTPRequest.Method], isAdmin: Bool, only: ContractOperation?)
        /// Why: bad percent-encoding, invalid UTF-8, NUL, no path.
        case malformedTarget(String)
        /// `nearest`: up to three operations that may have been meant, the likeliest first.
        case notFound(nearest: [ContractOperation])
    }

    /// Finds the operation that a call is for. HEAD is matched as GET where no HEAD operation fits (RFC 9110 §9.3.2).
    ///
    /// - Parameters:
    ///   - target: the request-target as sent, in origin or absolute form (RFC 9112 §3.2).
    ///   - host: the `Host` field. It counts only where the contracts' `servers` distinguish two operations; if it is neither's
    ///     host, neither is found.
    public func match(method: HTTPRequest.Method, target: String, host: String?) -> Match {
        let call: Call
        do { call = try Call(target, host: host) } catch { return .malformedTarget(error.reason) }
        if let route = own(method, call) { return .found(route.operation, parameters: route.parameters(of: call.path)) }
        var found = find(method, call)
        if found.isEmpty, method == .head { found = find(.get, call) }
        if found.count > 1 {
            return .shared(
                found.map {
                    Candidate(operation: $0.operation, parameters: $0.parameters(of: call.path), isOfHost: isHost(call.host, of: $0))
                })
        }
        if let found = found.first { return .found(found.operation, parameters: found.parameters(of: call.path)) }
        let fitting = fitting(call)
        let allowed = Self.methods(of: fitting)
        if let route = fitting.first, !allowed.contains(method) {
            return .wrongMethod(allowed: allowed, isAdmin: route.operation.isAdmin, only: fitting.count == 1 ? route.operation : nil)
        }
        var distances = EditDistance()
        return .notFound(nearest: nearest(to: call, method, &distances))
    }

    /// The parts of a call that it is matched by.
    struct Call {
        let path: [ArraySlice<UInt8>]
        let host: String?
        private let target: RequestTarget

        init(_ target: String, host: String?) throws(RequestTarget.Malformed) {
            self.target = try RequestTarget(target)
            path = self.target.segments
            self.host = self.target.host ?? host
        }

        /// Split only where an operation asks for constants: most do not.
        func fits(_ route: Route) -> Bool {
            route.operation.queryDemands.isEmpty || target.query.map { route.fits(query: PercentCoding.fields($0)) } ?? false
        }
    }

    /// The route of a call that it shares with no other: nearly every one.
    private func own(_ method: HTTPRequest.Method, _ call: Call) -> Route? {
        guard let routes = byMethod[method], routes.indices.contains(call.path.count) else { return nil }
        let route = routes[call.path.count].first { $0.fits(call.path) && call.fits($0) }
        return route?.sharesCalls == false ? route : nil
    }

    /// More than one only if the tenant has to decide.
    private func find(_ method: HTTPRequest.Method, _ call: Call) -> [Route] {
        guard let routes = byMethod[method], routes.indices.contains(call.path.count) else { return [] }
        var found: [Route] = []
        for route in routes[call.path.count] where route.fits(call.path) && call.fits(route) {
            if let first = found.first, !first.isAmbiguous(with: route) { break }
            if !route.sharesCalls { return found.isEmpty ? [route] : found }
            if route.isToldByTenant || isHost(call.host, of: route) { found.append(route) }
        }
        // Otherwise the host has decided, and one is left.
        return found.allSatisfy(\.isToldByTenant) ? found : Array(found.prefix(1))
    }

    private func isHost(_ host: String?, of route: Route) -> Bool {
        guard let host else { return false }
        return route.hosts.contains { $0.matches(host) } || route.vendorHosts.contains { $0.matches(host) }
    }

    /// The routes that fit but for the method.
    private func fitting(_ call: Call) -> [Route] {
        guard routes.indices.contains(call.path.count) else { return [] }
        return routes[call.path.count].filter { route in
            route.fits(call.path) && call.fits(route) && (!route.sharesCalls || route.isToldByTenant || isHost(call.host, of: route))
        }
    }

    /// The methods that a target takes, the most literal path's first; HEAD wherever GET is: what `Allow` says (RFC 9110 §10.2.1) but for OPTIONS, which the
    /// caller answers.
    private static func methods(of routes: [Route]) -> [HTTPRequest.Method] {
        var methods: [HTTPRequest.Method] = []
        for route in routes {
            let method = route.operation.method
            for method in method == .get ? [method, .head] : [method] where !methods.contains(method) { methods.append(method) }
        }
        return methods
    }

    /// Operations that only the query or host keeps from fitting, then those whose path takes few edits or has another beginning. None for a path of many more segments
    /// than any route has.
    func nearest(to call: Call, _ method: HTTPRequest.Method, _ distances: inout EditDistance) -> [ContractOperation] {
        // A long segment is a parameter's value at best: it says nothing of how much the rest may differ.
        let length = call.path.reduce(0) { $0 + ($1.count <= EditDistance.longest ? $1.count : 0) + 1 }
        let limit = min(max(2, length / 3), EditDistance.farthest)
        var candidates: [(operation: ContractOperation, distance: Int)] = []
        for route in routes.joined() {
            let ofMethod = route.operation.method == method ? 0 : 1
            let edits = route.distance(to: call.path, atMost: limit - ofMethod, &distances)
            let lead = ofMethod == 0 ? route.lead(of: call.path).map { $0 + 1 } : nil
            guard let distance = [edits, lead].compactMap(\.self).min() else { continue }
            candidates.append((route.operation, distance + ofMethod))
        }
        candidates.sort { $0.distance < $1.distance }  // stable: the same on every run
        var nearest: [ContractOperation] = []
        // An operation that has aliases may be among the candidates several times.
        for (operation, _) in candidates where nearest.count < 3 && !nearest.contains(operation) { nearest.append(operation) }
        return nearest
    }
}
