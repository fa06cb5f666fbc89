import HTTPTypes
import SparringJSON
import Support
import Testing

/// The tenants that most of these tests configure.
let acme: JSON.Object = ["liveperson": ["accountId": "acme"], "identity": ["tenantId": "brand"]]

/// What most of these tests call: an operation that needs nothing but its account.
let lookUpService = "liveperson.lookUpService"

func lookUpTarget(_ account: String = "acme", service: String = "idp") -> String {
    "/api/account/\(account)/service/\(service)/baseURI.json?version=1.0"
}

extension TestServer {
    /// One call, by whoever `lane` says.
    @discardableResult
    func lookUp(_ lane: String? = nil, account: String = "acme") async throws -> TestAnswer {
        try await send(.get, lookUpTarget(account), headers: lane.map { [.init("X-Sparring-Lane")!: $0] } ?? [:])
    }

    /// One call, whose connection may break.
    func attempt(_ lane: String? = nil) async throws -> Result<Int, Disturbed> {
        do { return .success(try await lookUp(lane).status) } catch let error as Disturbed { return .failure(error) }
    }

    /// Arms a fault and returns its number.
    @discardableResult
    func arm(_ text: String, sandbox: String = "default") async throws -> Int64 {
        try #require(try await admin(.post, "faults", ["fault": .string(text)], sandbox: sandbox)["number"]?.integer)
    }

    /// What so many calls come to, one after the other: `x` for 503, which the tests' faults answer with, `.` for 200.
    func pattern(_ count: Int, lane: String? = nil) async throws -> String {
        var pattern = ""
        for _ in 0..<count { pattern += mark(try await lookUp(lane).status) }
        return pattern
    }

    func mark(_ status: Int) -> String { status == 200 ? "." : status == 503 ? "x" : "?" }

    /// The newest entry of an operation.
    func entry(_ operation: String = lookUpService, sandbox: String = "default") async throws -> JSON {
        try #require(try await journal("?operation=\(operation)&limit=10000", sandbox: sandbox).last)
    }

    /// Returns once so many things wait on the clock.
    func untilPending(_ count: Int = 1, sandbox: String = "default") async throws {
        try await until { try await admin(.get, "clock", sandbox: sandbox)["pending"]?.array?.count == count }
    }

    /// A problem's status, type behind `urn:sparring:problem:`, and the pointers of its violations.
    func problem(_ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil) async throws -> Problem {
        let answer = if let json { try await send(method, target, json: json) } else { try await send(method, target) }
        return Problem(answer)
    }
}

/// RFC 9457, as far as these tests ask.
struct Problem: Equatable, CustomStringConvertible {
    var status: Int
    var name: String
    var pointers: [String]
    var detail: String
    var nearest: [String]

    init(_ answer: TestAnswer) {
        status = answer.status
        let json = answer.json
        name = (json?["type"]?.string ?? "").replacing("urn:sparring:problem:", with: "")
        pointers = (json?["violations"]?.array ?? []).compactMap { $0["pointer"]?.string }
        detail = json?["detail"]?.string ?? answer.text
        nearest = (json?["nearest"]?.array ?? []).compactMap(\.string)
        if answer.headers[.contentType] != "application/problem+json" || json?["status"]?.integer != Int64(status) {
            name = "no problem+json: \(answer.text)"
        }
    }

    /// Status, name and pointers, such as `422 configuration-invalid /clock/rate`.
    var words: String { ([String(status), name] + pointers).joined(separator: " ") }
    var description: String { "\(words): \(detail)" }
}
