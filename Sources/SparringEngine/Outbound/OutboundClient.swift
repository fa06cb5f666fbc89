import HTTPTypes
import SparringClient
import SparringJournal
import SparringJSON

/// Calls other servers over the network.
final class OutboundClient: Sendable {
    private let callsAbroad: Bool
    /// Nobody is waited for any longer from then on.
    let release = Release()

    /// - Parameter callsAbroad: ``EngineOptions/callsAbroad``.
    init(callsAbroad: Bool = true) { self.callsAbroad = callsAbroad }

    /// Sends to another server and waits for its answer.
    ///
    /// - Parameter isOwn: the host is this server's, which no proxy leads to.
    func send(_ request: OutboundRequest, isOwn: Bool) async -> OutboundResult {
        if !callsAbroad { return .failed("\(request.url): this process calls no other servers") }
        let call = Task { () async -> OutboundResult in
            var outgoing = HTTPClient.Request(
                request.method, request.url, headers: request.headers, body: request.body, tls: request.tls?.files)
            outgoing.isProxied = !isOwn
            do throws(CallFailure) {
                let answer = try await HTTPClient(limits: .init(whole: request.timeout)).send(outgoing)
                return .answered(OutboundAnswer(status: answer.status, headers: answer.headers, body: answer.body))
            } catch {
                return Self.result(of: error, request)
            }
        }
        let number = release.onRelease { call.cancel() }
        defer { release.forget(number) }
        return await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
    }

    private static func result(of failure: CallFailure, _ request: OutboundRequest) -> OutboundResult {
        switch failure.kind {
        case .timedOut, .connectTimedOut: .timedOut("no answer from \(request.url) within \(request.timeout.words)")
        case .cancelled: .failed("\(request.url): not waited for, since the server stops")
        default: .failed("\(request.url): \(failure)")
        }
    }
}
