import Foundation
import HTTPTypes
import SparringClient
import SparringEngine
import SparringJSON

/// Talks to a server's admin API: every request of the client commands goes through here.
struct AdminClient: Sendable {
    /// Without a slash at its end.
    let baseURL: String
    let token: String?

    /// The parts of ``baseURL``, which was checked when it was given.
    var address: HTTPURL? { try? HTTPURL(baseURL) }
    var port: Int { address?.port ?? 80 }

    /// A journal page of large bodies is large.
    private static let bodyLimit = 1 << 30

    func get(_ path: String, timeout: Duration = .seconds(30)) async throws -> AdminAnswer { try await send(.get, path, timeout: timeout) }
    func put(_ path: String, _ body: JSON) async throws -> AdminAnswer { try await send(.put, path, body) }
    func patch(_ path: String, _ body: JSON) async throws -> AdminAnswer { try await send(.patch, path, body) }
    func delete(_ path: String) async throws { _ = try await send(.delete, path) }

    func post(_ path: String, _ body: JSON? = nil, timeout: Duration = .seconds(30)) async throws -> AdminAnswer {
        try await send(.post, path, body, timeout: timeout)
    }

    /// - Throws: ``CommandFailure`` where nobody answers, and for every answer that is not a success.
    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, timeout: Duration = .seconds(30)) async throws
        -> AdminAnswer
    {
        var request = HTTPClient.Request(method, baseURL + path)
        request.headers[.accept] = "application/json, application/problem+json, */*;q=0.1"
        request.headers[.userAgent] = "sparring/\(sparringVersion)"
        if let token { request.headers[.authorization] = "Bearer \(token)" }
        if let body {
            request.headers[.contentType] = "application/json"
            request.body = body.bytes
        }
        let answer: HTTPClient.Answer
        do throws(CallFailure) {
            answer = try await HTTPClient(limits: .init(whole: timeout, body: Self.bodyLimit)).send(request)
        } catch {
            throw CommandFailure.unreachable(baseURL, Self.reason(of: error, within: timeout))
        }
        let (status, bytes) = (answer.status, answer.body)
        if 200..<300 ~= status { return AdminAnswer(url: baseURL + path, bytes: bytes) }
        if let problem = (try? JSON(parsing: bytes)).flatMap({ CommandFailure(problem: $0) }) { throw problem }
        throw CommandFailure.foreign(baseURL + path, "\(status) without a problem document")
    }

    /// What kept an answer away, in a few words.
    private static func reason(of failure: CallFailure, within timeout: Duration) -> String {
        switch failure.kind {
        case .connectTimedOut: "no connection within 5 s"
        case .timedOut: "no answer within \(timeout.components.seconds) s"
        case .tls: "the TLS handshake failed (the admin API also answers without TLS)"
        default: failure.description
        }
    }
}

/// A success of the admin API.
struct AdminAnswer: Sendable {
    var url: String
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var json: JSON {
        get throws {
            do { return try JSON(parsing: bytes) } catch { throw CommandFailure.foreign(url, "something that is \(error)") }
        }
    }
}
