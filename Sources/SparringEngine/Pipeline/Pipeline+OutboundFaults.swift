import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringSandbox

/// Calls that due work makes, of a kind that the contract declares, so that faults can strike them wherever they go.
extension Pipeline {
    /// - Parameters:
    ///   - request: by the names that the vendor's code has.
    ///   - change: what the vendor makes of a request that an effect of its own (`x-effects`) strikes: none, one or several.
    func send(
        _ request: OutboundRequest, as operation: ContractOperation, account: String, for caller: Caller,
        change: @Sendable (OutboundRequest, String, [String: String]) -> [OutboundRequest]
    ) async -> OutboundResult {
        let sandbox = caller.sandbox
        let chosen = sandbox.faults.choose(
            FaultOccasion(
                point: operation.qualifiedName, lane: caller.origin.lane, account: account, headers: request.headers,
                bodies: (try? JSON(parsing: request.body)).map { operation.hasStandIns ? [operation.onWire(body: $0), $0] : [$0] } ?? [],
                now: sandbox.clock.now), at: [FaultPoint(operation)])
        let disturbance = Disturbance(chosen)
        guard !disturbance.touched.isEmpty else {
            return await send(request.onWire(of: operation), for: caller, struck: disturbance, as: operation)
        }
        let requests = disturbance.vendorEffects.reduce([request]) { requests, effect in
            requests.flatMap { change($0, effect.word, effect.parameters) }
        }.map { $0.onWire(of: operation) }
        if requests.isEmpty {
            count(disturbance, caller)
            let result = lost(operation, disturbance)
            journal(request, result, for: caller, arrival: .now, struck: disturbance, as: operation)
            return result
        }
        // The limit is on the machine's clock, and the fault's delay on the sandbox's: what is delayed for longer than the limit is not waited for.
        let isTooLate = disturbance.delay >= request.timeout && disturbance.delay > .zero
        if let target = caller.addresses.ownTarget(of: request.url) {
            let result = await sendHome(requests, target, disturbance, caller)
            return isTooLate ? timedOut(request, disturbance) : result
        }
        count(disturbance, caller)
        if isTooLate, forced(disturbance, operation, request) == nil { return await sendInVain(requests, disturbance, operation, caller) }
        await wait(disturbance.delays[.onRequestEnd], operation, caller)
        var result = lost(operation, disturbance)
        for request in requests { result = await sendAbroad(request, disturbance, operation, caller) }
        await wait(disturbance.delays[.onResponseStart], operation, caller)
        return result
    }

    /// To an emulated vendor, which is struck as by a client's call; once only where the request goes out several times.
    private func sendHome(_ requests: [OutboundRequest], _ target: String, _ disturbance: Disturbance, _ caller: Caller) async
        -> OutboundResult
    {
        var result = await perform(requests[0], target: target, for: caller, chosen: disturbance)
        for request in requests.dropFirst() {
            result = await perform(request, target: target, for: caller, chosen: Disturbance())
        }
        return result
    }

    /// The other server is called, and its answer comes too late.
    private func sendInVain(_ requests: [OutboundRequest], _ disturbance: Disturbance, _ operation: ContractOperation, _ caller: Caller)
        async -> OutboundResult
    {
        let (result, arrival) = (timedOut(requests[0], disturbance), Arrival.now)
        for request in requests { _ = await outboundClient.send(request, isOwn: caller.addresses.isOwn(url: request.url)) }
        await wait(requests[0].timeout, operation, caller)
        for request in requests { journal(request, result, for: caller, arrival: arrival, struck: disturbance, as: operation) }
        return result
    }

    private func timedOut(_ request: OutboundRequest, _ disturbance: Disturbance) -> OutboundResult {
        .timedOut(
            "no answer from \(request.url) within \(request.timeout.words): \(disturbance.cause?.words ?? "a fault") delayed it by \(disturbance.delay.words)"
        )
    }

    private func sendAbroad(_ request: OutboundRequest, _ disturbance: Disturbance, _ operation: ContractOperation, _ caller: Caller)
        async -> OutboundResult
    {
        if let forced = forced(disturbance, operation, request) {
            journal(request, forced, for: caller, arrival: .now, struck: disturbance, as: operation)
            return forced
        }
        let result = await send(request, for: caller, struck: disturbance, as: operation)
        guard let cut = disturbance.cut, cut.phase != .onResponseEnd else { return result }
        return .failed("\(request.url): the answer was lost by fault \(cut.by)")
    }

    /// The answer that a fault puts in place of the other server's; nil where that server is really called.
    private func forced(_ disturbance: Disturbance, _ operation: ContractOperation, _ request: OutboundRequest) -> OutboundResult? {
        if disturbance.isCutBefore {
            return .failed("\(request.url): cut off by \(disturbance.cause?.words ?? "a fault"), nothing was sent")
        }
        switch disturbance.replacement?.with {
        case nil: return nil
        case .refusal(let name):
            let declared = operation.answer(name)
            return .answered(
                OutboundAnswer(
                    status: declared?.status ?? 500, headers: [:], body: declared?.example?.bytes ?? [], declared: declared,
                    cause: disturbance.cause?.words))
        case .status(let status):
            return .answered(OutboundAnswer(status: status.code, headers: [:], body: [], cause: disturbance.cause?.words))
        }
    }

    /// The answer that the sender believes it got to a request that was lost on its way: the operation's first answer.
    private func lost(_ operation: ContractOperation, _ disturbance: Disturbance) -> OutboundResult {
        let first = operation.answers[0]
        return .answered(
            OutboundAnswer(
                status: first.status ?? 200, headers: [:], body: first.example?.bytes ?? [], declared: first,
                cause: "lost on its way by fault \(disturbance.numbers.map(String.init).joined(separator: ", "))"))
    }

    private func count(_ disturbance: Disturbance, _ caller: Caller) {
        let (touched, sandbox) = (disturbance.touched, caller.sandbox)
        store.submit { [store] db in
            try sandbox.faults.write(touched, sandbox: sandbox.id, store, db)
        } finished: { result in
            if case .failure(let error) = result {
                sandbox.faults.takeBack(touched)
                sandbox.missed(error)
            }
        }
    }

    private func wait(_ duration: Duration?, _ operation: ContractOperation, _ caller: Caller) async {
        guard let duration else { return }
        _ = await caller.sandbox.clock.sleep(
            for: duration, what: "\(operation.qualifiedName) of \(caller.origin.lane), delayed by a fault", work: caller.work
        ) { _ in }
    }
}

extension Disturbance {
    /// The whole time by which faults delay the answer.
    fileprivate var delay: Duration { (delays[.onRequestEnd] ?? .zero) + (delays[.onResponseStart] ?? .zero) }
}

extension OutboundRequest {
    /// With the names that a contract's overlays have given to the members of its body.
    fileprivate func onWire(of operation: ContractOperation) -> OutboundRequest {
        guard operation.hasStandIns, let made = try? JSON(parsing: body) else { return self }
        var request = self
        request.body = operation.onWire(body: made).bytes
        return request
    }
}
