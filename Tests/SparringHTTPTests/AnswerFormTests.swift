import Foundation
import HTTPTypes
import SparringHTTP
import Support
import Testing

/// Answers in other forms, on the wire and within TLS.
@Suite struct AnswerFormTests {
    private static let body = Array(#"{"bird":"a parrot, as it is"}"#.utf8)

    private static func form(_ change: (inout AnswerForm) -> Void) -> AnswerForm {
        var form = AnswerForm()
        change(&form)
        return form
    }

    private static let forms: [(name: String, form: AnswerForm)] = [
        ("lower case", form { $0.names = .lowerCase }), ("upper case", form { $0.names = .upperCase }),
        ("reversed", form { $0.isReversed = true }),
        ("one chunk", form { $0.framing = .chunks(1000, hasExtensions: false) }),
        ("small chunks", form { $0.framing = .chunks(3, hasExtensions: true) }), ("pieces", form { $0.pauses = [1, 5, 20] }),
    ]

    @Test(arguments: Wire.allCases, forms.indices) func `an answer in another form arrives whole`(_ wire: Wire, _ index: Int) async throws {
        let (name, form) = Self.forms[index]
        let handler = ScriptedHandler { _, exchange in
            exchange.deliver(.formed(Response(status: 200, headers: [.contentType: "application/json"], body: .bytes(Self.body)), form))
        }
        try await Wire.withServer(handler) { server in
            let client = try await wire.connect(server)
            await client.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            let (bytes, end) = await client.read()
            #expect(end == .closed, "\(name)")
            let text = String(decoding: bytes, as: UTF8.self)
            let head = text.components(separatedBy: "\r\n\r\n")[0]
            let names = head.components(separatedBy: "\r\n").dropFirst().map { $0.components(separatedBy: ":")[0] }
            switch name {
            case "lower case": #expect(names.allSatisfy { $0 == $0.lowercased() })
            case "upper case": #expect(names.allSatisfy { $0 == $0.uppercased() })
            case "reversed": #expect(names.last == "Date" && names.first == "Content-Length")
            default: break
            }
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.lowercased().contains("connection: close"))
            let rest = String(decoding: bytes.dropFirst(head.utf8.count + 4), as: UTF8.self)
            if name.hasSuffix("chunks") || name == "one chunk" {
                let lines = rest.components(separatedBy: "\r\n")
                let sizes = stride(from: 0, to: lines.count, by: 2).compactMap { Int(lines[$0].prefix { $0 != ";" }, radix: 16) }
                #expect(
                    sizes.last == 0 && sizes.reduce(0, +) == Self.body.count
                        && sizes.dropLast().allSatisfy { $0 <= (name == "one chunk" ? 1000 : 3) })
                #expect(stride(from: 1, to: lines.count, by: 2).map { lines[$0] }.joined() == String(decoding: Self.body, as: UTF8.self))
            } else {
                #expect(rest == String(decoding: Self.body, as: UTF8.self))
            }
        }
    }

    @Test func `an answer without a body has none in any form`() async throws {
        for (name, form) in Self.forms {
            let handler = ScriptedHandler { _, exchange in exchange.deliver(.formed(Response(status: 204), form)) }
            try await Wire.withServer(handler) { server in
                let client = try await Wire.plain.connect(server)
                await client.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                let text = String(decoding: await client.read().0, as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 204 ") && text.hasSuffix("\r\n\r\n"), "\(name): \(text)")
            }
        }
    }
}
