import Foundation
import SparringHTTP
import Support
import Testing

/// Compressed bodies, as Python's library writes them.
@Suite struct ContentCodingTests {
    private static func compressed(_ expression: String, _ text: String) async throws -> [UInt8] {
        let script = "import gzip, sys, zlib; text = sys.argv[1].encode(); sys.stdout.write((\(expression)).hex())"
        let hex = try await Command.python(["-c", script, text]).output()
        return stride(from: 0, to: hex.utf8.count, by: 2).map { index in
            let start = hex.index(hex.startIndex, offsetBy: index)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)!
        }
    }

    @Test(arguments: [
        ("gzip", "gzip.compress(text)"), ("X-GZIP", "gzip.compress(text)"), ("deflate", "zlib.compress(text)"),
        ("Deflate", "(lambda c: c.compress(text) + c.flush())(zlib.compressobj(wbits=-15))"),
    ])
    func `what a peer compressed is read`(_ name: String, _ expression: String) async throws {
        let text = String(repeating: "Grüße, ", count: 10_000)
        let bytes = try await Self.compressed(expression, text)
        let coding = try #require(ContentCoding(name: name))
        #expect(try coding.decode(bytes, atMost: text.utf8.count) == Array(text.utf8))
        #expect(throws: ContentCoding.Failure.tooLong) { try coding.decode(bytes, atMost: text.utf8.count - 1) }
        for damaged in [Array(bytes.dropLast()), Array(bytes.prefix(5)), bytes + [0], [], [1, 2, 3]] {
            #expect(throws: ContentCoding.Failure.malformed) { try coding.decode(damaged, atMost: 1 << 20) }
        }
    }

    @Test(arguments: ["br", "zstd", "compress", "", "gzip "]) func `no other coding is known`(name: String) {
        #expect(ContentCoding(name: name) == nil)
    }
}
