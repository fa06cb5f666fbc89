public import HTTPTypes
public import SparringJSON

/// RFC 9457, as far as these tests ask.
public struct Problem: Equatable, CustomStringConvertible {
    public var status: Int
    public var name: String
    public var pointers: [String]
    public var detail: String
    public var nearest: [String]

    public init(_ answer: TestAnswer) {
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
    public var words: String { ([String(status), name] + pointers).joined(separator: " ") }
    public var description: String { "\(words): \(detail)" }
}

extension TestServer {
    /// A problem's status, type behind `urn:sparring:problem:`, and the pointers of its violations.
    public func problem(_ method: HTTPRequest.Method, _ target: String, _ json: JSON? = nil) async throws -> Problem {
        let answer = if let json { try await send(method, target, json: json) } else { try await send(method, target) }
        return Problem(answer)
    }
}
