import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// The calls of emulated vendors: the way in from inside, and the journal of what leaves the process.
extension Pipeline: OutboundCalls {
    func send(_ request: OutboundRequest, for caller: Caller) async -> OutboundResult {
        await send(request, for: caller, struck: Disturbance())
    }

    /// - Parameters:
    ///   - struck: the faults that disturb a call over the network; its journal entry names them.
    ///   - operation: by which the contract declares such calls.
    func send(
        _ request: OutboundRequest, for caller: Caller, struck: Disturbance, as operation: ContractOperation? = nil
    ) async -> OutboundResult {
        if let target = caller.addresses.ownTarget(of: request.url) { return await perform(request, target: target, for: caller) }
        let arrival = Arrival.now
        let result = await outboundClient.send(request, isOwn: caller.addresses.isOwn(url: request.url))
        journal(request, result, for: caller, arrival: arrival, struck: struck, as: operation)
        return result
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
        if outboundClient.release.isReleased { return .failed(Self.unawaited(request)) }
        let once = Once<OutboundResult>()
        let timer = Task {
            try await Task.sleep(for: request.timeout)
            once.resume(.timedOut("no answer from \(request.url) within \(request.timeout.words)"))
        }
        let release = outboundClient.release.onRelease { once.resume(.failed(Self.unawaited(request))) }
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
        _ request: OutboundRequest, _ result: OutboundResult, for caller: Caller, arrival: Arrival, struck: Disturbance,
        as operation: ContractOperation?
    ) {
        var entry = caller.sandbox.entry(.outbound, cause: "")
        entry.operation = operation?.qualifiedName
        entry.arrival = caller.sandbox.moment(arrival)
        entry.lane = caller.origin.lane
        entry.causedBy = caller.origin
        (entry.faults, entry.effects) = (struck.numbers, struck.effects)
        entry.request = JournalEntry.Request(
            method: request.method.rawValue, target: request.url, headers: request.headers,
            body: request.body, connection: nil)
        switch result {
        case .answered(let answer):
            entry.cause = answer.cause.map { Cause($0) }
            entry.answer = JournalEntry.Answer(
                name: answer.name, status: answer.status,
                outcome: (answer.declared?.outcome ?? operation?.outcome(of: answer.status))?.rawValue,
                headers: answer.headers, body: answer.body)
        case .timedOut(let reason), .failed(let reason): entry.cause = Cause(reason)
        }
        caller.calls.add(Self.line(request, result))
        caller.sandbox.note(entry)
    }

    private static func unawaited(_ request: OutboundRequest) -> String { "\(request.url): not waited for, since the server stops" }

    private static func result(of ending: Incoming.Ending, _ url: String) -> OutboundResult {
        switch ending.delivery {
        case .reset: return .failed("\(url): connection reset by peer")
        case .empty, .stall: return .failed("\(url): the connection was closed without an answer")
        case .raw: return .failed("\(url): the answer is not HTTP")
        case .upgrade: return .failed("\(url): upgraded to a WebSocket, which is not called from within")
        case .disturbed(let response, let transmission):
            switch transmission.cut {
            case nil, (_, .end)?: return answered(response, ending)
            case (.reset, _)?: return .failed("\(url): connection reset by peer within the answer")
            case (.malformedChunk, _)?: return .failed("\(url): a malformed chunk")
            case (.close, _)?, (.stall, _)?: return .failed("\(url): the connection was closed within the answer")
            }
        case .answer(let response), .formed(let response, _): return answered(response, ending)
        }
    }

    private static func answered(_ response: Response, _ ending: Incoming.Ending) -> OutboundResult {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return .answered(
            OutboundAnswer(
                status: response.status, headers: response.headers, body: body, declared: ending.answer, cause: ending.cause?.words))
    }

    /// The line about a call in the calling exchange's entry.
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

extension ContractOperation {
    /// The meaning of a stranger's answer: as the contract declares the status; any other status below 400 is not what was asked for.
    fileprivate func outcome(of status: Int) -> AnswerOutcome? {
        answers.first { $0.status == status }?.outcome ?? (status < 400 ? .refused : nil)
    }
}
