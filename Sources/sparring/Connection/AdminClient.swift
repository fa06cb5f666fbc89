import Foundation
import HTTPTypes
import SparringClient
import SparringContract
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

    /// Calls an operation of the admin API.
    ///
    /// - Parameters:
    ///   - sandbox: the value of its parameter of that name.
    ///   - values: those of its other parameters, by name: what the path does not name goes into the query, nil is left out.
    ///   - timeout: how long the answer may take; nil: as long as is usual for the operation.
    /// - Throws: ``CommandFailure`` where nobody answers, and for every answer that is not a success.
    @discardableResult
    func call(
        _ operation: AdminCall, in sandbox: String? = nil, _ values: [String: (any CustomStringConvertible)?] = [:],
        body: JSON? = nil, timeout: Duration? = nil
    ) async throws -> AdminAnswer {
        let path = Self.path(of: operation, values.merging(["sandbox": sandbox]) { $1 })
        let timeout = timeout ?? Self.timeout(of: operation)
        var request = HTTPClient.Request(HTTPRequest.Method(String(operation.method))!, baseURL + path)
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
        if let json = try? JSON(parsing: bytes),
            let problem = CommandFailure(problem: json, place: { CommandFailure.option(for: $0, of: operation) })
        {
            throw problem
        }
        throw CommandFailure.foreign(baseURL + path, "\(status) without a problem document")
    }

    /// The URL of a sandbox's node; nil: it is the server that was asked, or there is only one.
    ///
    /// - Parameter sandbox: as the answer to its making shows it.
    func ownerURL(of sandbox: JSON) -> String? {
        guard sandbox["node"] != nil else { return nil }
        let url = (address?.isTLS == true ? sandbox["tlsBaseURL"]?.string : nil) ?? sandbox["baseURL"]?.string
        return url == baseURL ? nil : url
    }

    /// The number with which to go on after a page of entries or notifications.
    func next(after page: JSON) throws -> Int {
        guard let next = page["next"]?.integer(in: 0...Int.max) else {
            throw CommandFailure.foreign(baseURL, "with a page that has no 'next'")
        }
        return next
    }

    /// The path and the query, percent-encoded.
    private static func path(of operation: AdminCall, _ values: [String: (any CustomStringConvertible)?]) -> String {
        var (path, query) = (String(operation.path), [String]())
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let text = value.map({ PercentCoding.encoded("\($0)") }) else { continue }
            if path.contains("{\(name)}") { path.replace("{\(name)}", with: text) } else { query.append("\(name)=\(text)") }
        }
        precondition(!path.contains("{"), "a parameter of \(operation) has no value: \(path)")
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// Longer than the server itself may take.
    private static func timeout(of operation: AdminCall) -> Duration {
        switch operation {
        case .advanceClock: .seconds(300)
        case .waitForClock: .seconds(330)
        case .judge: .seconds(660)
        case .waitForJournal, .waitForNotifications: .seconds(40)
        default: .seconds(30)
        }
    }

    /// The reason that no answer came, in a few words.
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
