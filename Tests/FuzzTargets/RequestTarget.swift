import Foundation
import HTTPTypes
import SparringContract
import SparringJSON
import SparringSandbox

/// Requests as the contracts have them, with something amiss: a script, or decisions over all operations.
enum RequestTarget {
    /// All calls; sockets are opened by ``MessageTarget``.
    static let operations = Stage.operations.filter { !$0.isMessage && !$0.opensSocket }
    /// The most calls that are made of one input.
    static let limit = 24

    /// Values of `Host` that the HTTP server lets through; all others are `head`'s to try.
    private static let hosts = [
        "localhost", "LOCALHOST:0", "default.localhost", "nobody.localhost", "[::1]:80", "127.0.0.1:99999", "other.test", "a.b.c:1", "",
    ]

    static func run(_ bytes: [UInt8]) throws {
        let play = try Stage.shared.begin()
        do {
            if Step.isScript(bytes) {
                for step in Step.script(bytes).prefix(64) { try play.perform(step) }
            } else {
                var choices = Choices(bytes)
                var calls = 0
                repeat {
                    let operation = choices.pick(operations)
                    try play.perform(try call(operation, &choices, play))
                    calls += 1
                } while !choices.isAtEnd && calls < limit
            }
        } catch {
            try? play.end()
            throw error
        }
        try play.end()
    }

    static func runPlainly() throws {
        let play = try Stage.shared.begin(patience: Stage.unhurried)
        var last: [Step] = []
        for operation in operations {
            var plain = Choices([])
            let call = try call(operation, &plain, play)
            // What takes things away, or tells of another sandbox, comes after all that wants them, or this one.
            let isLast = operation.vendor == "admin" && (operation.method == .delete || operation.id == "forkSandbox")
            if isLast { last.append(call) } else { try play.perform(call) }
        }
        for call in last { try play.perform(call) }
        try play.end()
    }

    /// A call of an operation: the contract's own example where nothing is decided.
    static func call(_ operation: ContractOperation, _ choices: inout Choices, _ play: Play) throws -> Step {
        var failure: (any Error)?
        func known(_ name: String) -> JSON? {
            // Two vendors call it so, and the stage has the client that Talkdesk's examples name.
            if operation.vendor == "talkdesk", name == "client_id" { return nil }
            do { return try play.known(name) } catch {
                failure = failure ?? error
                return nil
            }
        }
        let media = operation.requestBody?.mediaTypes ?? []
        let target = target(of: operation, &choices, known)
        var headers = headers(of: operation, &choices, known)
        var body: [UInt8] = []
        if !media.isEmpty, operation.requestBody?.required == true || !choices.chance(60) {
            let chosen = choices.pick(media)
            let example = chosen.examples.isEmpty ? nil : choices.pick(chosen.examples).value
            headers.append(
                ("Content-Type", choices.chance(8) ? choices.pick(["", "text/html", "application/json; charset=x", "*/*"]) : chosen.type))
            body = written(example ?? [:], chosen.type, &choices, known)
        }
        if choices.chance(10) {
            headers.append((choices.pick(["X-Sparring-Lane", "Origin", "Last-Event-ID", "If-None-Match"]), Values.text(&choices)))
        }
        if choices.chance(6) { headers.append(("Host", choices.pick(hosts))) }
        if choices.chance(6) { headers.append(("Last-Event-ID", String(choices.pick(Values.integers)))) }
        if let failure { throw failure }
        return .call(method: method(of: operation, &choices), target: target, headers: headers.map { ($0.0, fieldValue($0.1)) }, body: body)
    }

    private static func method(of operation: ContractOperation, _ choices: inout Choices) -> String {
        choices.chance(5) ? choices.pick(["OPTIONS", "HEAD", "DELETE", "PUT", "BREW", "get"]) : operation.method.rawValue
    }

    // MARK: The target

    static func target(of operation: ContractOperation, _ choices: inout Choices, _ known: (String) -> JSON?) -> String {
        var values: [String: String] = [:]
        var query: [String] = []
        for parameter in operation.parameters {
            let name = operation.opensSocket && parameter.name == "token" ? "jwt" : parameter.name
            switch parameter.location {
            case .path: values[parameter.name] = text(parameter, name, &choices, known)
            case .query where operation.query[parameter.name] == nil:
                guard parameter.required || choices.chance(100) else { continue }
                let times = choices.chance(6) ? choices.pick([0, 2, 210]) : 1
                let pair = "\(parameter.name)=\(encoded(text(parameter, name, &choices, known)))"
                query += Array(repeating: pair, count: times)
            default: break
            }
        }
        var path = operation.path(values)
        if let signature = signature(of: operation, path, query, &choices) {
            query.removeAll { $0.hasPrefix("temp_url_sig=") }
            query.append("temp_url_sig=\(signature)")
        }
        if choices.chance(5) { path += choices.pick(["/", "//", "/.", "/..", "%2F", "%", "%zz", "?", "&&=&=", "#x", "\u{0}", "/%00"]) }
        if query.isEmpty { return path }
        return path + (path.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }

    /// The signature that a file's URL must have, most often: without it nothing behind it is ever reached. The seed is the sandbox's.
    private static func signature(
        of operation: ContractOperation, _ path: String, _ query: [String], _ choices: inout Choices
    ) -> String? {
        guard operation.parameters.contains(where: { $0.name == "temp_url_sig" }), !choices.chance(50) else { return nil }
        let expiry = query.first { $0.hasPrefix("temp_url_expires=") }.map { $0.dropFirst("temp_url_expires=".count) } ?? ""
        let file = "/" + path.drop { $0 == "/" }
        let draw = Draw(
            seed: 1, "temp_url_sig", "acme", operation.method == .get ? "download" : "upload", file,
            String(expiry).removingPercentEncoding ?? "")
        return String(draw.hex.prefix(40))
    }

    private static func text(
        _ parameter: ContractParameter, _ name: String, _ choices: inout Choices, _ known: (String) -> JSON?
    ) -> String {
        func word(_ json: JSON) -> String { json.string ?? json.text }
        switch choices.below(16) {
        case 0...10: return (known(name) ?? parameter.example).map(word) ?? "x"
        case 11: return parameter.example.map(word) ?? ""
        case 12: return String(choices.pick(Values.integers))
        default: return Values.text(&choices)
        }
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    // MARK: Headers

    static func headers(of operation: ContractOperation, _ choices: inout Choices, _ known: (String) -> JSON?) -> [(String, String)] {
        var headers: [(String, String)] = []
        for parameter in operation.parameters where parameter.location == .header {
            guard parameter.required || !choices.chance(40) else { continue }
            let example = parameter.example.map { $0.string ?? $0.text } ?? ""
            headers.append(
                (parameter.name, choices.chance(20) ? Values.text(&choices) : credential(like: example, parameter.name, known) ?? example))
        }
        return headers
    }

    /// A credential that holds, of the kind that the example shows.
    private static func credential(like example: String, _ name: String, _ known: (String) -> JSON?) -> String? {
        func value(_ name: String) -> String? { known(name)?.string }
        if example.hasPrefix("Basic ") {
            let pair = "\(value("clientId") ?? ""):\(value("clientSecret") ?? "")"
            return "Basic " + Data(pair.utf8).base64EncodedString()
        }
        for scheme in ["jwt ", "Bearer "] where example.hasPrefix(scheme) { return value("jwt").map { scheme + $0 } }
        if example.hasPrefix("eyJ") { return value(name == "Authorization" ? "access_token" : "token") }
        return ["Cookie", "asapp-api-id", "Brand-ID"].contains(name) ? value(name) : nil
    }

    /// Without what would end a header's line: that is `head`'s to try.
    private static func fieldValue(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(8000).filter { $0 != "\r" && $0 != "\n" && $0 != "\u{0}" }))
    }

    // MARK: Bodies

    private static func written(_ example: JSON, _ type: String, _ choices: inout Choices, _ known: (String) -> JSON?) -> [UInt8] {
        let value = Mutation.mutated(example, &choices, known: known)
        switch type {
        case "application/x-www-form-urlencoded":
            let fields = (value.object ?? [:]).map { "\(encoded($0.key))=\(encoded($0.value.string ?? $0.value.text))" }
            return Array(fields.joined(separator: "&").utf8)
        case "*/*": return Array((value.string ?? value.text).utf8)
        default: return Mutation.written(value, &choices)
        }
    }
}

extension ContractOperation {
    /// Such an answer turns the connection into a socket.
    var opensSocket: Bool { answers.contains { $0.status == 101 } }
}
