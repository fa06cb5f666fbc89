import Foundation
import SparringJSON

/// One thing that an input does. Written as a line of JSON, so that an input can be a script that people read:
///
/// ```
/// {"call":"PUT /__admin/sandboxes/default/clock","headers":{},"body":{"mode":"frozen"}}
/// {"open":"/ws_api/account/acme/messaging/consumer?v=3","headers":{"Authorization":"jwt ${jwt}"}}
/// {"send":0,"body":{"kind":"req","id":"1","type":"GetClock"}}
/// {"leave":0,"code":1000}
/// ```
///
/// `${name}` stands for what an answer told under that name, `${a*70000}` for so many of what stands before the star. A body may be a text, JSON,
/// or `base64`.
enum Step {
    case call(method: String, target: String, headers: [(String, String)], body: [UInt8])
    case open(target: String, headers: [(String, String)])
    /// Sockets are counted from 0.
    case send(socket: Int, text: [UInt8])
    /// - code: of the close frame; nil: there is none.
    case leave(socket: Int, code: Int?)

    /// The steps of a script; lines that are none are passed over.
    static func script(_ bytes: [UInt8]) -> [Step] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in (try? JSON(parsing: line)).flatMap(Step.init) }
    }

    static func isScript(_ bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "{") }

    init?(_ json: JSON) {
        let headers = (json["headers"]?.object ?? [:]).map { ($0.key, $0.value.string ?? $0.value.text) }
        let body =
            json["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            ?? json["body"].map { $0.string.map { Array($0.utf8) } ?? $0.bytes }
        if let call = json["call"]?.string {
            let words = call.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { return nil }
            let isJSON = json["body"].map { $0.string == nil } ?? false
            let typed = isJSON && !headers.contains { $0.0.lowercased() == "content-type" }
            self = .call(
                method: words[0], target: words[1], headers: headers + (typed ? [("Content-Type", "application/json")] : []),
                body: body ?? [])
        } else if let target = json["open"]?.string {
            self = .open(target: target, headers: headers)
        } else if let socket = json["send"]?.integer {
            self = .send(socket: Int(clamping: socket), text: body ?? [])
        } else if let socket = json["leave"]?.integer {
            self = .leave(socket: Int(clamping: socket), code: json["code"]?.integer.map { Int(clamping: $0) })
        } else {
            return nil
        }
    }

    /// The step as a line of a script.
    var line: String {
        func object(_ headers: [(String, String)]) -> JSON? {
            headers.isEmpty ? nil : .object(JSON.Object(headers.map { ($0.0, .string($0.1)) }, uniquingKeysWith: { $1 }))
        }
        func payload(_ bytes: [UInt8]) -> (name: String, value: JSON)? {
            if bytes.isEmpty { return nil }
            return String(validating: bytes, as: UTF8.self).map { ("body", .string($0)) } ?? (
                "base64", .string(Data(bytes).base64EncodedString())
            )
        }
        var json: JSON
        switch self {
        case .call(let method, let target, let headers, let body):
            json = .members(["call": .string("\(method) \(target)"), "headers": object(headers)])
            if let (name, value) = payload(body) { json[name] = value }
        case .open(let target, let headers): json = .members(["open": .string(target), "headers": object(headers)])
        case .send(let socket, let text):
            json = ["send": .integer(Int64(socket))]
            if let (name, value) = payload(text) { json[name] = value }
        case .leave(let socket, let code):
            json = .members(["leave": .integer(Int64(socket)), "code": code.map { .integer(Int64($0)) }])
        }
        return json.text
    }

    /// With what is known in the place of `${name}`.
    func filled(with known: (String) throws -> String?) rethrows -> Step {
        func fill(_ text: String) throws -> String {
            guard text.contains("${") else { return text }
            var (filled, rest) = ("", text[...])
            while let start = rest.range(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
                let name = rest[start.upperBound..<end]
                filled += rest[..<start.lowerBound] + (try Self.repeated(name) ?? known(String(name)) ?? "")
                rest = rest[rest.index(after: end)...]
            }
            return filled + rest
        }
        func fill(_ headers: [(String, String)]) throws -> [(String, String)] { try headers.map { ($0.0, try fill($0.1)) } }
        func fill(_ bytes: [UInt8]) throws -> [UInt8] {
            try String(validating: bytes, as: UTF8.self).map { Array(try fill($0).utf8) } ?? bytes
        }
        return switch self {
        case .call(let method, let target, let headers, let body):
            .call(method: method, target: try fill(target), headers: try fill(headers), body: try fill(body))
        case .open(let target, let headers): .open(target: try fill(target), headers: try fill(headers))
        case .send(let socket, let text): .send(socket: socket, text: try fill(text))
        case .leave: self
        }
    }
}

extension Step {
    /// A megabyte at most.
    fileprivate static func repeated(_ words: Substring) -> String? {
        guard let star = words.lastIndex(of: "*"), let count = Int(words[words.index(after: star)...]), star > words.startIndex,
            count >= 0, count <= 1 << 20
        else { return nil }
        return String(repeating: String(words[..<star]), count: count)
    }
}

/// Writes each step down before it is taken: of an input that ends the process nothing else remains. Asked for with SPARRING_FUZZ_TRACE, a file.
enum FuzzTrace {
    private static let file: Int32? = getenv("SPARRING_FUZZ_TRACE").map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644) }

    static func note(_ step: Step) {
        guard let file else { return }
        let line = Array((step.line + "\n").utf8)
        _ = write(file, line, line.count)
    }
}
