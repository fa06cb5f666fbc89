import Foundation
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks
import SparringSandbox

/// **receive**: the way in from the wire.
extension Pipeline: RequestHandler {
    func receive(_ head: RequestHead) -> Reception {
        if let defect = head.defect {
            unplaced.keep(UnplacedCall(head, reason: defect))
            return .refuse(Response.problem(400, defect))
        }
        let limit = mayBeLong(head) ? readLimit(of: head) ?? Self.bodyLimit : Self.bodyLimit
        // A body that is known to be too long is not read, unless the operation reads longer ones than others do.
        if limit == Self.bodyLimit, let length = head.contentLength, length > limit { return .refuse(tooLarge(head, limit: limit)) }
        if let point = disturbEarly(head) { return .hold(point, limit: limit) }
        return .read(limit: limit)
    }

    private func mayBeLong(_ head: RequestHead) -> Bool {
        head.contentLength.map { $0 > Self.bodyLimit } ?? head.headers.contains(.transferEncoding)
    }

    func handle(_ exchange: Exchange) {
        let early = takeEarly(exchange)
        let coding = exchange.bodyCount == 0 ? nil : exchange.head.headers.value(of: .contentEncoding)
        // A few compressed bytes may stand for many.
        let isShort = coding == nil && exchange.bodyCount <= Self.shortLimit
        if isShort { handle(exchange, early, nil) } else { lengthy.async { [self] in handle(exchange, early, coding) } }
    }

    private func handle(_ exchange: Exchange, _ early: EarlyStrike?, _ coding: String?) {
        let request = exchange.request
        // What vendors read as it comes, such as a file, they refuse in their own words.
        if request.bodyExceededLimit, !isTakenCut(request.head) {
            exchange.deliver(.answer(tooLarge(request.head, limit: readLimit(of: request.head) ?? Self.bodyLimit)))
            return
        }
        var incoming = Incoming(request, exchange)
        incoming.early = early
        if let coding { decode(incoming, coding) } else { take(incoming) }
    }

    func completed(_ exchange: Exchange, _ completion: Completion) { _ = takeEarly(exchange) }

    func rejected(target: String, reason: String, isTLS: Bool, arrival: Arrival) {
        var words =
            "not understood by the HTTP server" + (reason.isEmpty ? "" : ": " + reason.trimmingCharacters(in: .whitespacesAndNewlines))
        // A TLS handshake has no line that could be read.
        if target.isEmpty, !isTLS, reason.hasPrefix("400"), let tlsPort = addresses.current.tlsPort {
            words += " (perhaps TLS on the port for plain HTTP: use port \(tlsPort) for https://)"
        }
        unplaced.keep(UnplacedCall(arrival: arrival, target: target, reason: words))
    }

    func full(limit: Int) {
        let words = "all \(limit) connections of a port are in use: no other client is served there until one of them ends"
        notice(words)
        unplaced.keep(UnplacedCall(arrival: .now, target: "", reason: words))
    }

    /// It cannot be known whose client it is. Each sandbox whose scenario sends clients to that port has it in its journal; at the ordinary port it is kept
    /// beside the calls that matched no operation.
    func silent(_ connection: SilentConnection) {
        guard let name = connection.port else {
            return unplaced.keep(UnplacedCall(arrival: connection.taken, target: "", reason: handshakeWords(connection)))
        }
        let flaw = TLSPort.flaw(of: name)
        let port = flaw?.words ?? "a TLS handshake that never ends"
        let after = connection.left.map { Duration.nanoseconds($0.monotonic - connection.taken.monotonic).words }
        let details: JSON = [
            "connection": after == nil ? "taken" : flaw == nil ? "left" : "refused", "port": .string(name),
            "number": .integer(Int64(connection.number)),
        ]
        let cause = after.map { "a client left \(port) after \($0), without a request" } ?? "a client connected, to \(port)"
        for sandbox in world.sandboxes where sandbox.tlsDefect == name {
            var entry = sandbox.entry(.connection, cause: Cause(cause), details: details)
            entry.arrival = sandbox.moment(connection.left ?? connection.taken)
            entry.lane = "connection \(connection.number)"
            sandbox.note(entry)
        }
    }

    private func handshakeWords(_ connection: SilentConnection) -> String {
        let addresses = addresses.current
        if let host = connection.host {
            return "a TLS connection by the proxy to \(host) ended without a request: most often the client does not trust Sparring's CA "
                + "(`sparring trust` shows how it can), or pins the vendor's own certificate"
        }
        let port = addresses.tlsPort.map { " \($0)" } ?? ""
        return switch connection.extent {
        case .notTLS: "plain HTTP came to the TLS port\(port): call https:// there, or http:// at port \(addresses.port)"
        case .protocols(let offered):
            "a TLS client at port\(port) offers \(offered) only (ALPN, RFC 7301), and Sparring speaks HTTP/1.1: "
                + "it was sent the alert no_application_protocol; let the client fall back to HTTP/1.1, as ALPN is for"
        case .certificate, nil:
            "a TLS connection to port\(port) ended without a request: most often the client does not trust Sparring's CA "
                + "(`sparring trust` shows how it can), called a name that the certificate does not have (--host adds one), "
                + "or speaks nothing newer than TLS 1.1"
        }
    }

    func refuse(_ incoming: Incoming, _ misplaced: Misplaced) {
        var call = UnplacedCall(incoming.head, reason: misplaced.reason, nearest: misplaced.nearest)
        call.stub = misplaced.stub
        if !misplaced.isAdmin, misplaced.response == nil { call.sandbox = note(misplaced, incoming.head) }
        unplaced.keep(call) { [self] in
            metrics.count("unplaced", String(misplaced.status))
            var members: JSON.Object = misplaced.nearest.isEmpty ? [:] : ["nearest": .array(misplaced.nearest.map { .string($0) })]
            if let stub = misplaced.stub { members["stub"] = .string(stub) }
            var response =
                misplaced.response ?? Response.problem(misplaced.status, misplaced.reason, members: members, headers: misplaced.headers)
            if !misplaced.isAdmin { Render.allowOrigin(incoming.head.headers, &response.headers) }
            incoming.deliver(Incoming.Ending(delivery: .answer(response), cause: Cause(misplaced.reason)))
        }
    }

    /// Notes the call in the journal of the sandbox whose tenant the path names, if any, so that verdicts mention it.
    ///
    /// - Returns: the sandbox.
    private func note(_ misplaced: Misplaced, _ head: RequestHead) -> String? {
        let path = RequestParts.path(of: head.target)
        let segments = path.split(separator: "/").compactMap { $0.removingPercentEncoding }
        let tenant = segments.lazy.compactMap { id in
            self.vendors.all.lazy.compactMap { self.world.tenant($0.name, id) }.first { $0.isCalled(id) }
        }.first
        guard let tenant, let sandbox = world.sandbox(tenant.sandbox) else { return nil }
        let nearest = misplaced.nearest.first.map { "; nearest: \($0)" } ?? ""
        var entry = sandbox.entry(
            .finding, cause: Cause(misplaced.reason),
            details: ["method": .string(head.method.rawValue), "target": .string(head.target.abbreviated(to: 1000))])
        entry.arrival = sandbox.moment(head.arrival)
        let place = "\(head.method.rawValue) \(path.abbreviated(to: 300))"
        var finding = Finding(misplaced.meant == nil ? misplaced.code : Finding.misspelt, ofCall: place, misplaced.reason + nearest)
        finding.meant = misplaced.meant?.qualifiedName
        finding.basis = misplaced.basis.map(Finding.Basis.init)
        (finding.actions, finding.stub) = (misplaced.actions, misplaced.stub)
        entry.findings = [finding]
        sandbox.note(entry)
        return tenant.sandbox
    }

    /// A browser's question before a call from a page (Fetch standard, CORS-preflight request), or a plain OPTIONS.
    func answerPreflight(_ incoming: Incoming, allowing methods: [HTTPRequest.Method]) {
        let all = ([.options] + methods).map(\.rawValue).joined(separator: ", ")
        var headers: HTTPFields = [.allow: all]
        Render.allowOrigin(incoming.head.headers, &headers)
        if incoming.head.headers[.origin] != nil {
            headers[.accessControlAllowMethods] = all
            headers[.accessControlMaxAge] = "600"
            if let wanted = incoming.head.headers[.accessControlRequestHeaders] { headers[.accessControlAllowHeaders] = wanted }
        }
        incoming.deliver(Incoming.Ending(delivery: .answer(Response(status: 204, headers: headers))))
    }
}
