import HTTPTypes
import SparringEngine
import SparringJSON
import SparringTestKit
import Support
import Testing

extension ClientStage {
    /// A call over a TLS port with a defect.
    ///
    /// - Throws: where the handshake fails.
    func send(
        over port: String, _ method: HTTPRequest.Method, _ target: String, _ json: JSON?, headers: HTTPFields, bytes: [UInt8]
    ) async throws -> TestAnswer {
        let number = try #require(server.addresses.tlsDefects[port])
        // A time-out is in force during the handshake too.
        let client = try await TLSClient(port: number, trusting: SparringServer.certificateAuthority)
        let body = json?.bytes ?? bytes
        var lines = ["\(method.rawValue) \(target) HTTP/1.1", "Host: localhost:\(number)", "Content-Length: \(body.count)"]
        if json != nil { lines.append("Content-Type: application/json") }
        lines += headers.map { "\($0.name.rawName): \($0.value)" }
        await client.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let answer = try await client.answer()
        var fields = HTTPFields()
        for (name, value) in answer.headers { if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) } }
        return TestAnswer(status: answer.status, headers: fields, body: answer.body)
    }
}
