import AsyncHTTPClient
public import HTTPTypes
import NIOCore
import NIOHTTP1
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal
import SparringLocks

/// A call that an emulated vendor makes.
public struct OutboundRequest: Sendable {
    public var method: HTTPRequest.Method
    /// Absolute, or an own path that begins with `/`.
    public var url: String
    public var headers: HTTPFields
    public var body: [UInt8]
    public var timeout: Duration
    /// Nil: the machine's own list of authorities, and no certificate.
    public var tls: OutboundTLS?

    public init(
        _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: [UInt8] = [], timeout: Duration = .seconds(10),
        tls: OutboundTLS? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.tls = tls
    }
}

public struct OutboundAnswer: Sendable {
    public var status: Int
    public var headers: HTTPFields
    public var body: [UInt8]
    /// As the contract declares it, where one of Sparring's own vendors gave it.
    var declared: DeclaredAnswer?
    /// What that vendor journalled as its cause.
    public var cause: String?

    /// The answer's name in the contract, where one of Sparring's own vendors gave it.
    public var name: String? { declared?.name }
}

public enum OutboundResult: Sendable {
    case answered(OutboundAnswer)
    /// No answer within the request's time.
    case timedOut(String)
    /// No connection, or it broke; in words.
    case failed(String)
}

/// What calls of others by a call of a client amount to, kept for its entry.
final class CallLog: Sendable {
    private let lines = Mutex<[JSON]>([])
    func add(_ line: JSON) { lines.withLock { $0.append(line) } }
    var all: [JSON] { lines.withLock { $0 } }
}

/// On whose behalf a vendor calls out.
struct Caller: Sendable {
    var sandbox: Sandbox
    var origin: JournalEntry.Origin
    /// The base URL by which own paths are called.
    var base: String
    var addresses: Addresses
    var calls: CallLog
    /// At rest on the sandbox's clock as long as what it called sleeps there.
    var work: SandboxClock.Work
}

/// Makes the vendors' calls: into the pipeline where the URL is Sparring's own, else over the network, journalled either way.
final class OutboundClient: Sendable {
    /// At most so much of a foreign answer is read.
    private static let bodyLimit = 1 << 20

    private let client: HTTPClient
    private let callsAbroad: Bool
    /// Set once the pipeline exists.
    let pipeline = Mutex<Pipeline?>(nil)
    /// Nobody is waited for any longer from then on.
    let release = Release()

    /// - Parameter callsAbroad: ``Engine/Options/callsAbroad``.
    init(callsAbroad: Bool = true) {
        self.callsAbroad = callsAbroad
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false  // a refused connection is an answer
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func shutdown() async { try? await client.shutdown() }

    /// - Parameter struck: the faults that disturb a call over the network; its journal entry names them.
    func send(_ request: OutboundRequest, for caller: Caller, struck: Disturbance = Disturbance()) async -> OutboundResult {
        guard let pipeline = pipeline.withLock({ $0 }) else { return .failed("the server is not ready") }
        if let target = caller.addresses.ownTarget(of: request.url) {
            return await pipeline.perform(request, target: target, for: caller)
        }
        let arrival = Arrival.now
        let result = callsAbroad ? await sendAbroad(request) : .failed("\(request.url): this process calls no other servers")
        await pipeline.journal(request, result, for: caller, arrival: arrival, struck: struck)
        return result
    }

    private func sendAbroad(_ request: OutboundRequest) async -> OutboundResult {
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
            return .failed("\(request.url): \(error)")
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
