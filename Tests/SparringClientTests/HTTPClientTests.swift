import Foundation
import HTTPTypes
import SparringClient
import SparringEngine
import SparringHTTP
import SparringTestKit
import Support
import Testing

/// The client for calls out, against servers that send given bytes.
@Suite struct HTTPClientTests {
    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func send(
        _ request: HTTPClient.Request, _ limits: HTTPClient.Limits = .init(connect: patience, whole: patience)
    ) async -> Result<HTTPClient.Answer, CallFailure> {
        do throws(CallFailure) { return .success(try await HTTPClient(limits: limits).send(request)) } catch { return .failure(error) }
    }

    struct Failing: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: String
        var end = WireServer.End.close
        var kind: CallFailure.Kind
        var words: String
    }

    @Test(arguments: [
        Failing(testDescription: "closes at once", answer: "", kind: .closed, words: "the connection was closed before an answer came"),
        Failing(
            testDescription: "resets at once", answer: "", end: .reset, kind: .network(errno: ECONNRESET), words: "connection reset by peer"
        ),
        Failing(
            testDescription: "closes within the body", answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", kind: .closed,
            words: "the connection was closed within the answer"),
        Failing(
            testDescription: "closes within a chunk", answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok", kind: .closed,
            words: "the connection was closed within the answer"),
        Failing(
            testDescription: "says more than is read",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2000),
            kind: .tooLong, words: "the answer has more than 1000 bytes"),
        Failing(
            testDescription: "never says anything", answer: "", end: .stay, kind: .timedOut, words: "no answer in time"),
        Failing(
            testDescription: "stops within the body", answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", end: .stay, kind: .timedOut,
            words: "no answer in time"),
    ])
    func `a call that gets no answer says why, and is sent once`(_ row: Failing) async throws {
        let server = WireServer(row.answer, row.end)
        let limits = HTTPClient.Limits(whole: row.end == .stay ? .milliseconds(200) : patience, body: 1000)
        let result = await send(.init(.get, "http://127.0.0.1:\(server.port)/x"), limits)
        #expect(throws: CallFailure.self) { try result.get() }
        guard case .failure(let failure) = result else { return }
        #expect(failure.kind == row.kind && failure.description == row.words, "\(failure.kind): \(failure)")
        #expect(server.request.hasPrefix("GET /x HTTP/1.1\r\n") && server.request.count(where: { $0 == "\r\n" }) == 3, "\(server.request)")
    }

    @Test func `what is not HTTP is no answer`() async throws {
        let server = WireServer("220 mail.example ESMTP\r\n")
        guard case .failure(let failure) = await send(.init(.get, "http://127.0.0.1:\(server.port)/")) else {
            return #expect(Bool(false), "an answer")
        }
        guard case .other = failure.kind else { return #expect(Bool(false), "\(failure.kind)") }
        #expect(failure.description.contains("HTTP/0.9"), "\(failure)")
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/", CallFailure.Kind.network(errno: ECONNREFUSED), "connection refused"),
        ("http://nowhere.invalid/", .unknownHost, "unknown host"),
        ("ftp://127.0.0.1/", .url, "'ftp://127.0.0.1/' is not an http or https URL"),
        ("/path", .url, "'/path' is not an http or https URL"), ("http://", .url, "the URL cannot be read"),
        ("http://127.0.0.1:99999/", .url, "the URL cannot be read"),
    ])
    func `where nobody can be reached, the error says why`(_ url: String, _ kind: CallFailure.Kind, _ words: String) async throws {
        guard case .failure(let failure) = await send(.init(.get, url)) else { return #expect(Bool(false), "an answer") }
        #expect(failure.kind == kind && failure.description == words, "\(failure.kind): \(failure)")
    }

    struct Sent: Sendable {
        var method: HTTPRequest.Method
        var headers: HTTPFields = [:]
        var body = ""
        var lines: [String]
    }

    @Test(arguments: [
        Sent(method: .get, lines: ["GET /a/../b%2Fc?d=%00 HTTP/1.1"]),
        Sent(method: .post, lines: ["POST /a/../b%2Fc?d=%00 HTTP/1.1", "Content-Length: 0"]),
        Sent(
            method: .put, headers: [.contentType: "text/plain"], body: "é",
            lines: ["PUT /a/../b%2Fc?d=%00 HTTP/1.1", "Content-Type: text/plain", "Content-Length: 2"]),
        Sent(
            method: .delete, headers: [.init("X-Empty")!: "", .accept: "a/b"],
            lines: ["DELETE /a/../b%2Fc?d=%00 HTTP/1.1", "X-Empty:", "Accept: a/b"]),
        Sent(
            method: .init("PURGE")!, headers: [.contentLength: "77"], body: "x",
            lines: ["PURGE /a/../b%2Fc?d=%00 HTTP/1.1", "Content-Length: 1"]),
    ])
    func `what is sent is what was asked for, and nothing else`(_ row: Sent) async throws {
        let server = WireServer(Self.good)
        let url = "http://127.0.0.1:\(server.port)/a/../b%2Fc?d=%00"
        _ = try await send(.init(row.method, url, headers: row.headers, body: Array(row.body.utf8))).get()
        let parts = server.request.components(separatedBy: "\r\n\r\n")
        let expected = [row.lines[0], "Host: 127.0.0.1:\(server.port)"] + row.lines.dropFirst()
        #expect(parts[0].components(separatedBy: "\r\n") == expected, "\(server.request)")
        #expect(parts[1] == row.body)
    }

    @Test func `an answer comes whole, with all its fields, and no redirect is followed`() async throws {
        let text =
            "HTTP/1.1 100 Continue\r\nX: interim\r\n\r\nHTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nSet-Cookie: a=1\r\nSet-Cookie:b=2 \r\n"
            + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
        let answer = try await send(.init(.get, "http://127.0.0.1:\(WireServer(text).port)/")).get()
        #expect(answer.status == 302 && answer.body == Array("abc".utf8))
        #expect(answer.headers[values: .setCookie] == ["a=1", "b=2"] && answer.headers[.location] == "http://127.0.0.1:1/")
        #expect(answer.headers[HTTPField.Name("X")!] == nil)
        let head = try await send(.init(.head, "http://127.0.0.1:\(WireServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").port)/"))
            .get()
        #expect(head.status == 200 && head.body.isEmpty)
    }

    @Test func `a call ends when its task is cancelled, before or after it began`() async throws {
        let server = WireServer("", .stay)
        let task = Task { await send(.init(.get, "http://127.0.0.1:\(server.port)/")) }
        try await until { !server.request.isEmpty }
        task.cancel()
        #expect(await task.value.failure == .cancelled)
        let other = WireServer(Self.good)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await send(.init(.get, "http://127.0.0.1:\(other.port)/"))
        }
        #expect(await late.value.failure == .cancelled && other.request.isEmpty)
        other.stop()
    }

    @Test func `a hundred calls at once get each its own answer`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let server = WireServer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\(100 + number)")
                    let answer = try await self.send(.init(.get, "http://127.0.0.1:\(server.port)/\(number)")).get()
                    #expect(answer.body == Array("\(100 + number)".utf8) && server.request.hasPrefix("GET /\(number) "))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `over TLS the server's certificate is checked`() async throws {
        let other = try TemporaryFolder.run { try LocalAuthority.load(or: $0).certificatePEM }
        let own = try SparringServer.certificateAuthority
        try await TestServer.run(tls: true) { server in
            let url = try #require(server.addresses.tlsBaseURL) + "/__admin/health"
            for (trusted, isGood) in [(own, true), (other, false), (nil, false)] {
                let tls = try trusted.map { try ClientTLS(certificate: nil, key: nil, trusted: $0) }
                switch await send(.init(.get, url, tls: tls)) {
                case .success(let answer): #expect(isGood && answer.status == 200)
                case .failure(let failure):
                    #expect(!isGood && failure.kind == .tls && failure.description.hasPrefix("TLS failed: "), "\(failure.kind): \(failure)")
                }
            }
            guard case .failure(let plain) = await send(.init(.get, "https://127.0.0.1:\(server.addresses.port)/")) else {
                return #expect(Bool(false), "an answer")
            }
            #expect(plain.kind == .tls, "\(plain.kind): \(plain)")
        }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
