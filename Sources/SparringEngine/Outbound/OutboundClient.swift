import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import SparringJournal

/// Calls other servers over the network.
final class OutboundClient: Sendable {
    /// At most so much of a foreign answer is read.
    private static let bodyLimit = 1 << 20

    private let client: HTTPClient
    private let callsAbroad: Bool
    /// Nobody is waited for any longer from then on.
    let release = Release()

    /// - Parameter callsAbroad: ``EngineOptions/callsAbroad``.
    init(callsAbroad: Bool = true) {
        self.callsAbroad = callsAbroad
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false  // a refused connection is an answer
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func shutdown() async { try? await client.shutdown() }

    /// An engine that was never stopped, such as one whose server could not start: the library insists on a shutdown, and keeps the client until it is done.
    deinit { client.shutdown { [client] _ in withExtendedLifetime(client) {} } }

    /// Sends to another server and waits for its answer.
    func send(_ request: OutboundRequest) async -> OutboundResult {
        if !callsAbroad { return .failed("\(request.url): this process calls no other servers") }
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = .RAW(value: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
        outgoing.tlsConfiguration = request.tls?.configuration
        let sending = outgoing
        do {
            // The client's own time-out ends with the head; a body that does not come must not be waited for either.
            return .answered(
                try await withThrowingTaskGroup(of: OutboundAnswer.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { [client] in try await Self.read(try await client.execute(sending, timeout: .hours(1))) }
                    group.addTask {
                        try await Task.sleep(for: request.timeout)
                        throw HTTPClientError.deadlineExceeded
                    }
                    group.addTask { [release] in
                        try await release.wait()
                        throw ServerStops()
                    }
                    guard let first = try await group.next() else { throw HTTPClientError.deadlineExceeded }
                    return first
                })
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout || error == .readTimeout {
            return .timedOut("no answer from \(request.url) within \(request.timeout.words)")
        } catch is ServerStops {
            return .failed("\(request.url): not waited for, since the server stops")
        } catch {
            return .failed("\(request.url): \(OutboundFailure(error))")
        }
    }

    private struct ServerStops: Error {}

    private static func read(_ response: HTTPClientResponse) async throws -> OutboundAnswer {
        var headers = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let body = try await response.body.collect(upTo: bodyLimit)
        return OutboundAnswer(status: Int(response.status.code), headers: headers, body: Array(buffer: body))
    }
}
