import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks

/// The pipeline's two ways in: from the wire, and from an emulated vendor.
extension Pipeline: RequestHandler {
    func receive(_ head: RequestHead) -> Reception {
        if let defect = head.defect {
            unplaced.keep(UnplacedCall(head, reason: defect))
            return .refuse(Render.problem(400, defect))
        }
        let limit = readLimit(of: head)
        if limit == nil, let length = head.contentLength, length > Self.bodyLimit { return .refuse(tooLarge(head)) }
        if let point = disturbEarly(head) { return .hold(point, limit: limit ?? Self.bodyLimit) }
        return .read(limit: limit ?? Self.bodyLimit)
    }

    func handle(_ exchange: Exchange) {
        var incoming = Incoming(exchange)
        incoming.early = takeEarly(incoming.head)
        if exchange.request.bodyExceededLimit, readLimit(of: incoming.head) == nil {
            exchange.deliver(.answer(tooLarge(incoming.head)))
        } else {
            let whole = incoming
            whenShort(incoming.body.count) { [self] in take(whole) }
        }
    }

    /// Of an operation that reads longer bodies than others do; what exceeds even that is cut off, and the vendor's to refuse.
    /// Nil for every other, and where the body is short anyway.
    private func readLimit(of head: RequestHead) -> Int? {
        let mayBeLong = head.contentLength.map { $0 > Self.bodyLimit } ?? (head.headers[.transferEncoding] != nil)
        guard mayBeLong else { return nil }
        switch routes.match(method: head.method, target: head.target, host: head.headers[.host]) {
        case .found(let operation, _): return operation.requestBody?.readLimit
        case .shared(let candidates): return candidates.compactMap { $0.operation.requestBody?.readLimit }.max()
        case .wrongMethod, .malformedTarget, .notFound: return nil
        }
    }

    func completed(_ exchange: Exchange, _ completion: Completion) { _ = takeEarly(exchange.request.head) }

    func rejected(target: String, reason: String, isTLS: Bool, arrival: Arrival) {
        unplaced.keep(
            UnplacedCall(
                arrival: arrival, target: target,
                reason: "not understood by the HTTP server" + (reason.isEmpty ? "" : ": " + reason.trimmingSuffix { $0.isWhitespace })))
    }

    func full(limit: Int) {
        let words = "all \(limit) connections of a port are taken: nobody else is served there until one of them ends"
        notice(words)
        unplaced.keep(UnplacedCall(arrival: .now, target: "", reason: words))
    }

    /// Nobody says whose client it is: it is told in each sandbox whose scenario sends clients to that port.
    func silent(_ connection: SilentConnection) {
        let defect = CertificateDefect(rawValue: connection.port)
        let port = defect.map { "a certificate that \($0.words)" } ?? "a TLS handshake that never ends"
        let after = connection.left.map { Duration.nanoseconds($0.monotonic - connection.taken.monotonic).words }
        let details: JSON = [
            "connection": after == nil ? "taken" : defect == nil ? "left" : "refused", "port": .string(connection.port),
            "number": .integer(Int64(connection.number)),
        ]
        let cause = after.map { "a client left \(port) after \($0), without a request" } ?? "a client connected, to \(port)"
        for sandbox in world.sandboxes where sandbox.tlsDefect == connection.port {
            var entry = world.entry(.connection, sandbox, cause: Cause(cause), details: details)
            entry.arrival = world.moment(connection.left ?? connection.taken)
            entry.lane = "connection \(connection.number)"
            world.note(entry, sandbox)
        }
    }

    private func tooLarge(_ head: RequestHead) -> Response {
        let reason = "the body is longer than \(Self.bodyLimit) bytes"
        unplaced.keep(UnplacedCall(head, reason: reason))
        return Render.problem(413, reason)
    }

    func refuse(_ incoming: Incoming, _ misplaced: Misplaced) {
        unplaced.keep(UnplacedCall(incoming.head, reason: misplaced.reason, nearest: misplaced.nearest)) { [self] in
            metrics.count("unplaced", String(misplaced.status))
            let members: JSON.Object = misplaced.nearest.isEmpty ? [:] : ["nearest": .array(misplaced.nearest.map { .string($0) })]
            var response =
                misplaced.response ?? Render.problem(misplaced.status, misplaced.reason, members: members, headers: misplaced.headers)
            if !misplaced.isAdmin { Render.allowOrigin(incoming.head.headers, &response.headers) }
            incoming.deliver(Incoming.Ending(delivery: .answer(response), cause: Cause(misplaced.reason)))
        }
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

    /// A vendor's call to one of Sparring's own URLs.
    ///
    /// - Parameter chosen: what strikes it, where that has been chosen already.
    func perform(_ request: OutboundRequest, target: String, for caller: Caller, chosen: Disturbance? = nil) async -> OutboundResult {
        var headers = request.headers
        headers[.host] = String(caller.base.drop { $0 != "/" }.dropFirst(2))
        if !request.body.isEmpty { headers[.contentLength] = String(request.body.count) }
        let head = RequestHead(
            method: request.method, target: target, headers: headers, isTLS: caller.base.hasPrefix("https://"), arrival: .now)
        let once = Once<OutboundResult>()
        let timer = Task {
            try await Task.sleep(for: request.timeout)
            once.resume(.timedOut("no answer from \(request.url) within \(request.timeout.words)"))
        }
        let release = outboundClient.release.onRelease {
            once.resume(.failed("\(request.url): not waited for, since the server stops"))
        }
        take(
            Incoming(Request(head: head, body: request.body), origin: caller.origin, work: caller.work, chosen: chosen) { ending in
                if ending.isSilent { return }  // the timer ends it
                once.resume(Self.result(of: ending, request.url))
            })
        let result = await once.value
        timer.cancel()
        outboundClient.release.forget(release)
        caller.calls.add(Self.line(request, result))
        return result
    }

    /// Journals a call that left the process.
    func journal(
        _ request: OutboundRequest, _ result: OutboundResult, for caller: Caller, arrival: Arrival, struck: Disturbance
    ) async {
        var entry = world.entry(.outbound, caller.sandbox, cause: "")
        entry.arrival = world.moment(arrival)
        entry.lane = caller.origin.lane
        entry.causedBy = caller.origin
        (entry.faults, entry.effects) = (struck.numbers, struck.effects)
        entry.request = JournalEntry.Request(
            method: request.method.rawValue, target: request.url, headers: request.headers.map { ($0.name.rawName, $0.value) },
            body: request.body, connection: nil)
        switch result {
        case .answered(let answer):
            entry.cause = answer.cause.map { Cause($0) }
            entry.answer = JournalEntry.Answer(
                name: answer.name, status: answer.status, outcome: answer.declared?.outcome.rawValue,
                headers: answer.headers.map { ($0.name.rawName, $0.value) }, body: answer.body)
        case .timedOut(let reason), .failed(let reason): entry.cause = Cause(reason)
        }
        caller.calls.add(Self.line(request, result))
        world.note(entry, caller.sandbox)
    }

    private static func result(of ending: Incoming.Ending, _ url: String) -> OutboundResult {
        switch ending.delivery {
        case .reset: return .failed("\(url): connection reset by peer")
        case .empty, .stall: return .failed("\(url): the connection was closed without an answer")
        case .raw: return .failed("\(url): what came is no HTTP")
        case .upgrade: return .failed("\(url): upgraded to a WebSocket, which is not called from within")
        case .disturbed(let response, let transmission):
            switch transmission.cut {
            case nil, (_, .end)?: return answered(response, ending)
            case (.reset, _)?: return .failed("\(url): connection reset by peer within the answer")
            case (.malformedChunk, _)?: return .failed("\(url): a malformed chunk")
            case (.close, _)?, (.stall, _)?: return .failed("\(url): the connection was closed within the answer")
            }
        case .answer(let response): return answered(response, ending)
        }
    }

    private static func answered(_ response: Response, _ ending: Incoming.Ending) -> OutboundResult {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return .answered(
            OutboundAnswer(
                status: response.status, headers: response.headers, body: body, declared: ending.answer, cause: ending.cause?.words))
    }

    /// What the calling exchange's entry says of a call.
    private static func line(_ request: OutboundRequest, _ result: OutboundResult) -> JSON {
        switch result {
        case .answered(let answer):
            .members([
                "method": .string(request.method.rawValue), "url": .string(request.url), "status": .integer(Int64(answer.status)),
                "answer": answer.name.map { .string($0) },
            ])
        case .timedOut(let reason), .failed(let reason):
            ["method": .string(request.method.rawValue), "url": .string(request.url), "failure": .string(reason)]
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, predicate(last) { text.removeLast() }
        return String(text)
    }
}
