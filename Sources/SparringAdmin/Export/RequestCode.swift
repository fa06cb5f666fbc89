import Foundation
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
    ///   - authority: host and port where the request has none.
    ///   - tlsPort: of this server.
    /// - Returns: nil where the entry has no request.
    init?(_ entry: JSON, authority: String, tlsPort: Int?) {
        guard let request = entry["request"], let method = request["method"]?.string, let target = request["target"]?.string else {
            return nil
        }
        let fields = (request["headers"]?.object ?? [:]).map { (name: $0.key, value: $0.value.string ?? "") }
        let host = fields.first { $0.name.lowercased() == "host" }?.value ?? authority
        let isTLS = tlsPort.map { host.hasSuffix(":\($0)") } ?? false
        number = entry["number"]?.integer ?? 0
        self.method = method
        self.isTLS = isTLS
        url = target.hasPrefix("/") ? "\(isTLS ? "https" : "http")://\(host)\(target)" : target
        headers = fields.filter { !Self.hopHeaders.contains($0.name.lowercased()) }
        if let text = request["body"]?.string, !text.isEmpty {
            body = .text(text)
        } else if let hex = request["bodyHex"]?.string {
            body = .bytes(JournalEntry.bytes(ofHex: hex))
        } else {
            body = .none
        }
        status = entry["answer"]?["status"]?.integer
    }

    /// For a POSIX shell.
    var curl: String {
        var options = ["curl -i " + (method == "HEAD" ? "--head" : "-X \(ShellWords.quote(method))") + " \(ShellWords.quote(url))"]
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
            arguments += ["    headers={"] + headers.map { "        \(Self.python($0.name)): \(Self.python($0.value))," } + ["    },"]
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
        var lines = ["import Foundation", "import Testing", "", "@Test func entry\(number)() async throws {"]
        lines.append("    var request = URLRequest(url: try #require(URL(string: \(Self.swift(url)))))")
        lines.append("    request.httpMethod = \(Self.swift(method))")
        lines += headers.map { "    request.setValue(\(Self.swift($0.value)), forHTTPHeaderField: \(Self.swift($0.name)))" }
        switch body {
        case .none: break
        case .text(let text): lines.append("    request.httpBody = Data(\(Self.swift(text)).utf8)")
        case .bytes(let bytes): lines.append("    request.httpBody = Data(base64Encoded: \(Self.swift(Data(bytes).base64EncodedString())))")
        }
        lines.append("    let (_, response) = try await URLSession.shared.data(for: request)")
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
