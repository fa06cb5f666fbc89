import Foundation
import SparringContract
import SparringEngine
import SparringTestKit
import Support
import Testing

/// The live page knows vendors by the admin API alone.
@Suite struct PageNameTests {
    @Test func `it names no vendor`() async throws {
        try await TestServer.run(.pipeline) { server in
            let vendors = server.engine.contracts.map(\.vendor).filter { $0 != "admin" && $0 != "identity" }
            #expect(vendors.count >= 5)
            let folder = URL(fileURLWithPath: Cast.page)
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                let text = try String(contentsOf: file, encoding: .utf8).lowercased()
                for vendor in vendors { #expect(!text.contains(vendor), "\(file.lastPathComponent): \(vendor)") }
            }
        }
    }
}
