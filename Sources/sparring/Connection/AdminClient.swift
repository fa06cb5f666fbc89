import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import SparringEngine
import SparringJSON

/// Talks to a server's admin API: every request of the client commands goes through here.
struct AdminClient: Sendable {
    /// Without a slash at its end.
    let baseURL: String
    let token: String?

    /// That its URL has, or that is its scheme's.
    var port: Int {
        let parts = URLComponents(string: baseURL)
        return parts?.port ?? (parts?.scheme == "https" ? 443 : 80)
    }

    /// Lives as long as the process, so that nobody has to shut it down.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false  // report "refused" at once
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// A journal page of large bodies is large.
    private static let bodyLimit = 1 << 30

    func get(_ path: String, timeout: Duration = .seconds(30)) async throws -> AdminAnswer { try await send("GET", path, timeout: timeout) }
    func put(_ path: String, _ body: JSON) async throws -> AdminAnswer { try await send("PUT", path, body) }
    func patch(_ path: String, _ body: JSON) async throws -> AdminAnswer { try await send("PATCH", path, body) }
    func delete(_ path: String) async throws { _ = try await send("DELETE", path) }

    func post(_ path: String, _ body: JSON? = nil, timeout: Duration = .seconds(30)) async throws -> AdminAnswer {
        try await send("POST", path, body, timeout: timeout)
    }

    /// - Throws: ``CommandFailure`` where nobody answers, and for every answer that is not a success.
    private func send(_ method: String, _ path: String, _ body: JSON? = nil, timeout: Duration = .seconds(30)) async throws -> AdminAnswer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = .RAW(value: method)
        request.headers.add(name: "Accept", value: "application/json, application/problem+json, */*;q=0.1")
        request.headers.add(name: "User-Agent", value: "sparring/\(sparringVersion)")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body.bytes)
        }
        let status: Int
        let bytes: [UInt8]
        do {
            let response = try await Self.http.execute(request, timeout: TimeAmount(timeout))
            status = Int(response.status.code)
            bytes = Array(buffer: try await response.body.collect(upTo: Self.bodyLimit))
        } catch {
            throw CommandFailure.unreachable(baseURL, Self.reason(of: error, within: timeout))
        }
        if 200..<300 ~= status { return AdminAnswer(url: baseURL + path, bytes: bytes) }
        if let problem = (try? JSON(parsing: bytes)).flatMap({ CommandFailure(problem: $0) }) { throw problem }
        throw CommandFailure.foreign(baseURL + path, "\(status) without a problem document")
    }

    /// What kept an answer away, in a few words.
    private static func reason(of error: any Error, within timeout: Duration) -> String {
        switch error as? HTTPClientError {
        case .connectTimeout?: return "no connection within 5 s"
        case .deadlineExceeded?, .readTimeout?: return "no answer within \(timeout.components.seconds) s"
        default: break
        }
        if String(describing: error).contains("handshakeFailed") {
            return "the TLS handshake failed (the admin API also answers without TLS)"
        }
        return OutboundFailure(error).description
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
