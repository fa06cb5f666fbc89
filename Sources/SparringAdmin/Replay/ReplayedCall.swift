import Foundation
import HTTPTypes
import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

/// A recorded request as it is sent in a replay: with the replay's own ids and credentials.
struct ReplayedCall {
    private let correspondence: Correspondence

    init(_ correspondence: Correspondence) { self.correspondence = correspondence }

    func request(_ call: Archive.Call) -> Request {
        var headers = HTTPFields()
        for field in call.headers where !Self.isOfConnection(field.name) {
            headers.append(HTTPField(name: field.name, value: value(field.name, field.value)))
        }
        headers[.host] = call.authority
        let body = body(call.body.bytes, MediaTypes.essence(of: call.headers[.contentType] ?? ""))
        if !body.isEmpty { headers[.contentLength] = String(body.count) }
        if call.messages != nil || call.status == 101 { headers = headers.merging(Self.handshake) }
        let head = RequestHead(
            method: call.method, target: target(call.target), headers: headers, isTLS: ["https", "wss"].contains(call.scheme),
            connection: 1,
            arrival: .now)
        return Request(head: head, body: body)
    }

    /// Such a field is about the connection, or follows from the rest.
    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        [.contentLength, .transferEncoding, .contentEncoding, .connection, .host, .expect].contains(name)
    }

    /// Browsers do not record all of it (RFC 6455 §4.1).
    private static let handshake: HTTPFields = [
        .upgrade: "websocket", .connection: "Upgrade", HTTPField.Name("Sec-WebSocket-Version")!: "13",
        HTTPField.Name("Sec-WebSocket-Key")!: "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    func message(_ bytes: [UInt8]) -> [UInt8] { body(bytes, "application/json") }

    // MARK: Parts

    private func target(_ target: String) -> String {
        let mark = target.firstIndex(of: "?")
        let path = target[..<(mark ?? target.endIndex)].split(separator: "/", omittingEmptySubsequences: false).map { segment in
            replaced(String(segment)) { $0.removingPercentEncoding ?? $0 }
        }.joined(separator: "/")
        guard let mark else { return path }
        return path + "?" + form(String(target[target.index(after: mark)...]))
    }

    private func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { field in
            guard let equals = field.firstIndex(of: "=") else { return String(field) }
            return field[...equals]
                + replaced(String(field[field.index(after: equals)...])) { PercentCoding.fields("v=\($0[...])").first?.value ?? $0 }
        }.joined(separator: "&")
    }

    /// The text as it was written, where nothing stands for it.
    private func replaced(_ text: String, _ decode: (String) -> String) -> String {
        let decoded = decode(text)
        let translated = correspondence.translate(decoded)
        return translated == decoded ? text : PercentCoding.encoded(translated)
    }

    private func value(_ name: HTTPField.Name, _ value: String) -> String {
        if name == .authorization, let (scheme, rest) = value.split(at: " "), scheme.lowercased() == "basic",
            let pair = Base64.decode(rest).flatMap({ String(validating: $0, as: UTF8.self) }), let (user, password) = pair.split(at: ":")
        {
            return "\(scheme) " + Base64.encode(Array("\(correspondence.translate(user)):\(correspondence.translate(password))".utf8))
        }
        return correspondence.translate(value)
    }

    private func body(_ bytes: [UInt8], _ essence: String) -> [UInt8] {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        if let json = try? JSON(parsing: bytes), json.object != nil || json.array != nil {
            let translated = correspondence.translate(json)
            return translated == json ? bytes : translated.bytes
        }
        if essence == "application/x-www-form-urlencoded" { return Array(form(text).utf8) }
        return Array(correspondence.translate(text).utf8)
    }
}

extension String {
    fileprivate func split(at mark: Character) -> (String, String)? {
        guard let place = firstIndex(of: mark) else { return nil }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var fields = self
        for field in others { fields[field.name] = field.value }
        return fields
    }
}
