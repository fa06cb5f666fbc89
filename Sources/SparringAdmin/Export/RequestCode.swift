import Foundation
import SparringEngine
import SparringHTTP
import SparringJSON
import SparringJournal

/// A request of the journal as code that sends it again.
struct RequestCode {
    let number: Int64
    let method: String
    let url: String
    /// The code must then trust Sparring's certificate authority.
    let isTLS: Bool
    /// Without those that every client writes itself.
    let headers: [(name: String, value: String)]
    let body: Body
    /// Nil where no answer came.
    let status: Int64?

    enum Body {
        case none
        case text(String)
        case bytes([UInt8])
    }

    private static let hopHeaders: Set<String> = ["host", "connection", "content-length", "accept-encoding", "transfer-encoding"]

    /// - Parameters:
    ///   - entry: of a call, or of a vendor's own request.
    ///   - addresses: of this server.
    /// - Returns: nil where the entry has no request.
    init?(_ entry: JSON, _ addresses: Addresses) {
        guard let request = entry["request"], let method = request["method"]?.string, let target = request["target"]?.string else {
            return nil
        }
        let fields = (request["headers"]?.object ?? [:]).map { (name: $0.key, value: $0.value.string ?? "") }
        let absolute = URIParts(target)
        let path = absolute?.rest ?? (target.hasPrefix("/") ? target[...] : "")
        // A target in absolute form says the host, before Host does (RFC 9112 §3.2.2).
        let host = absolute.map { String($0.authority) } ?? fields.first { $0.name.lowercased() == "host" }?.value ?? ""
        let own = Self.server(host, addresses)
        number = entry["number"]?.integer ?? 0
        self.method = method
        isTLS = own?.isTLS ?? false
        // It goes to this server and to no other, whatever the client wrote: a vendor's own name stands beside it.
        url = (own?.url ?? addresses.baseURL) + (path.hasPrefix("/") ? path : "/" + path)
        let rest = fields.filter { !Self.hopHeaders.contains($0.name.lowercased()) }
        headers = own == nil && Authority(host) != nil ? [("Host", host)] + rest : rest
        if let text = request["body"]?.string, !text.isEmpty {
            body = text.unicodeScalars.allSatisfy(Self.isPlain) ? .text(text) : .bytes(Array(text.utf8))
        } else if let hex = request["bodyHex"]?.string {
            body = .bytes(JournalEntry.bytes(ofHex: hex))
        } else {
            body = .none
        }
        status = entry["answer"]?["status"]?.integer
    }

    /// Whether an entry's request is a message, which has no HTTP call of its own.
    static func isMessage(_ entry: JSON) -> Bool {
        entry["kind"]?.string != JournalEntry.Kind.exchange.rawValue && entry["request"]?["method"] == "MESSAGE"
    }

    /// This server's URL under the name that a client used; nil where the name, or its port, is not this server's.
    private static func server(_ host: String, _ addresses: Addresses) -> (url: String, isTLS: Bool)? {
        guard let used = Authority(host), addresses.isOwn(host: used.host) || used.host == addresses.advertised?.host else { return nil }
        let tlsPorts = [addresses.tlsPort, addresses.advertised?.tlsPort].compactMap(\.self) + addresses.tlsDefects.values
        let ports = [addresses.port, addresses.advertised?.port].compactMap(\.self)
        guard let port = used.port else { return ports.contains(80) ? ("http://\(host)", false) : nil }
        if tlsPorts.contains(port) { return ("https://\(host)", true) }
        return ports.contains(port) ? ("http://\(host)", false) : nil
    }

    /// Neither a shell nor a terminal does anything with it.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
    }

    private var hasType: Bool { headers.contains { $0.name.lowercased() == "content-type" } }
    private var hasBody: Bool { if case .none = body { false } else { true } }

    /// For a POSIX shell.
    var curl: String {
        let verb = method == "HEAD" && !hasBody ? "--head" : "-X \(ShellWords.quote(method))"
        // Brackets and dots in a URL mean nothing else (curl's manual, --globoff and --path-as-is).
        var options = ["curl -i --globoff --path-as-is \(verb) --url \(ShellWords.quote(url))"]
        // curl would say that it is a form.
        if hasBody, !hasType { options.append("-H 'Content-Type:'") }
        // A header without a value is written with a semicolon (curl's manual, --header).
        options += headers.map { "-H " + ShellWords.quote($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)") }
        if isTLS { options.append("--cacert \"$SPARRING_CA_FILE\"") }
        var source = ""
        switch body {
        case .none: break
        case .text(let text): options.append("--data-raw \(ShellWords.quote(text))")
        case .bytes(let bytes):
            source = "echo \(Data(bytes).base64EncodedString()) | base64 -d | "
            options.append("--data-binary @-")
        }
        return source + options.joined(separator: " \\\n  ") + "\n"
    }

    /// With the library requests.
    var python: String {
        var lines = ["import requests", ""]
        var arguments = ["    \(Self.python(method)), \(Self.python(url)),"]
        if !headers.isEmpty {
            let fields = headers.map { name, value in
                // What is not ASCII was read as UTF-8; the library would write it as Latin-1.
                "        \(Self.python(name)): \(Self.python(value))\(value.utf8.allSatisfy { $0 < 0x80 } ? "" : ".encode()"),"
            }
            arguments += ["    headers={"] + fields + ["    },"]
        }
        switch body {
        case .none: break
        case .text(let text): arguments.append("    data=\(Self.python(text)).encode(),")
        case .bytes(let bytes):
            lines.insert("import base64", at: 0)
            arguments.append("    data=base64.b64decode(\(Self.python(Data(bytes).base64EncodedString()))),")
        }
        if isTLS {
            lines.insert("import os", at: lines.count - 2)
            arguments.append("    verify=os.environ[\"SPARRING_CA_FILE\"],")
        }
        lines += ["response = requests.request("] + arguments + ["    allow_redirects=False,", ")"]
        if let status { lines.append("assert response.status_code == \(status), response.text") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A test of Swift Testing that uses Foundation's URLSession.
    var swift: String {
        var lines = ["import Foundation", "import Testing", ""]
        let isRedirected = (300..<400).contains(status ?? 0)
        if isRedirected {
            lines += [
                "private final class NoRedirects: NSObject, URLSessionTaskDelegate {",
                "    func urlSession(",
                "        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,",
                "        newRequest request: URLRequest",
                "    ) async -> URLRequest? { nil }", "}", "",
            ]
        }
        lines.append("@Test func entry\(number)() async throws {")
        if isTLS { lines.append("    // The system must trust Sparring's certificate authority: sparring trust") }
        lines.append("    var request = URLRequest(url: try #require(URL(string: \(Self.swift(url)))))")
        lines.append("    request.httpMethod = \(Self.swift(method))")
        lines += headers.map { "    request.setValue(\(Self.swift($0.value)), forHTTPHeaderField: \(Self.swift($0.name)))" }
        switch body {
        case .none: break
        case .text(let text): lines.append("    request.httpBody = Data(\(Self.swift(text)).utf8)")
        case .bytes(let bytes): lines.append("    request.httpBody = Data(base64Encoded: \(Self.swift(Data(bytes).base64EncodedString())))")
        }
        let delegate = isRedirected ? ", delegate: NoRedirects()" : ""
        lines.append("    let (_, response) = try await URLSession.shared.data(for: request\(delegate))")
        if let status { lines.append("    #expect((response as? HTTPURLResponse)?.statusCode == \(status))") }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static func python(_ text: String) -> String {
        quoted(text) { String(format: $0.value < 0x100 ? "\\x%02x" : $0.value < 0x10000 ? "\\u%04x" : "\\U%08x", $0.value) }
    }

    private static func swift(_ text: String) -> String { quoted(text) { String(format: "\\u{%x}", $0.value) } }

    /// In double quotes. What cannot be seen is escaped.
    private static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        let pieces = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\\", "\"": return "\\\(scalar)"
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            default: break
            }
            let isHidden = [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            return isHidden ? escape(scalar) : String(scalar)
        }
        return "\"" + pieces.joined() + "\""
    }
}
