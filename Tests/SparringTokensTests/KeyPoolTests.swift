import Foundation
import SparringTokens
import Testing

@Suite struct KeyPoolTests {
    @Test func `the pool has eight RSA keys and six P-256 keys, all different`() throws {
        let pool = TestKeys.pool
        #expect(try Set((0..<8).map { try pool.rsa($0).kid }).count == 8)
        #expect(try Set((0..<6).map { try pool.ec($0).kid }).count == 6)
        #expect(try pool.rsa(8).kid == pool.rsa(0).kid)
        #expect(try pool.ec(-1).kid == pool.ec(5).kid)
        #expect(try pool.rsa(3).algorithm == .rs256)
    }

    @Test func `keys are the same when many ask at once`() async throws {
        let pool = try KeyPool(folder: TestKeys.folder)
        let kids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { try pool.rsa(1).kid } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(kids.count == 1)
    }

    @Test func `a folder without keys or none at all is refused`() throws {
        try withFolder([:]) { folder in
            #expect(refusal { _ = try KeyPool(folder: folder) } == "key pool \(folder): neither rsa-*.pem nor ec-*.pem")
            #expect(refusal { _ = try KeyPool(folder: folder + "/none") } == "key pool \(folder)/none: the folder cannot be read")
        }
    }

    @Test func `a file that is no PEM is refused at once, by name`() throws {
        try withFolder(["rsa-1.pem": "hello!"]) { folder in
            #expect(refusal { _ = try KeyPool(folder: folder) } == "\(folder)/rsa-1.pem: PEM: not base64")
        }
    }

    @Test func `a file with the wrong key is refused when asked for, by name`() throws {
        let ec = try String(contentsOfFile: TestKeys.folder + "/ec-01.pem", encoding: .utf8)
        let bad = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
        try withFolder(["rsa-1.pem": ec, "rsa-2.pem": bad, "other.pem": "not looked at"]) { folder in
            let pool = try KeyPool(folder: folder)
            #expect(refusal { _ = try pool.rsa(0) } == "\(folder)/rsa-1.pem: a key for ES256 instead of RS256")
            #expect(refusal { _ = try pool.rsa(1) } == "\(folder)/rsa-2.pem: private key: neither RSA of 1024 bits or more nor P-256")
            #expect(refusal { _ = try pool.ec(0) } == "key pool \(folder): no ec-*.pem")
        }
    }

    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("key-pool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8) }
        try body(folder.path)
    }
}
