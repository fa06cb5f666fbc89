import Foundation
import SparringHTTP
import Support
import Testing

@Suite struct LocalAuthorityTests {
    private static let day: TimeInterval = 86_400

    @Test func `the authority is kept, readable by this user only`() throws {
        try TemporaryFolder.run { folder in
            let path = folder + "/kept/here"
            let first = try LocalAuthority.load(or: path)
            #expect(try LocalAuthority.load(or: path).certificatePEM == first.certificatePEM)
            _ = try first.identity(hosts: [])
            #expect(try permissions(path) == 0o700)
            for file in ["ca.pem", "leaf.pem"] { #expect(try permissions(path + "/" + file) == 0o600) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["ca.pem", "leaf.pem"])
        }
    }

    @Test func `processes that start together agree on one authority`() async throws {
        let folder = try TemporaryFolder()
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try LocalAuthority.load(or: folder.path).certificatePEM } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
    }

    @Test func `the leaf is kept while it fits, and reissued when the names or the authority change or its end is near`() throws {
        try TemporaryFolder.run { folder in
            let authority = try LocalAuthority.load(or: folder)
            let now = Date()
            let first = try authority.identity(hosts: ["b.test", "A.test"], now: now)
            #expect(try authority.identity(hosts: ["a.test", "b.test", "localhost"], now: now).certificatePEM == first.certificatePEM)
            #expect(try authority.identity(hosts: ["b.test", "A.test"], now: now + 389 * Self.day).keyPEM == first.keyPEM)
            let late = try authority.identity(hosts: ["b.test", "A.test"], now: now + 391 * Self.day)
            #expect(late.keyPEM != first.keyPEM)
            let other = try authority.identity(hosts: ["a.test"], now: now + 391 * Self.day)
            #expect(other.keyPEM != late.keyPEM)
            try FileManager.default.removeItem(atPath: folder + "/ca.pem")
            let successor = try LocalAuthority.load(or: folder)
            #expect(successor.certificatePEM != authority.certificatePEM)
            #expect(try successor.identity(hosts: ["a.test"]).keyPEM != other.keyPEM)
        }
    }

    @Test(arguments: [
        ("", "holds no certificate"),
        ("nonsense", "holds no certificate"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "is damaged"),
    ])
    func `a damaged file is named and left as it is`(content: String, reason: String) throws {
        for file in ["ca.pem", "leaf.pem"] {
            try TemporaryFolder.run { folder in
                _ = try LocalAuthority.load(or: folder).identity(hosts: [])
                let path = folder + "/" + file
                try content.write(toFile: path, atomically: false, encoding: .utf8)
                try expectRefusal(path, reason) { _ = try LocalAuthority.load(or: folder).identity(hosts: []) }
                #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
            }
        }
    }

    @Test func `a file cut anywhere is refused, never replaced`() throws {
        try TemporaryFolder.run { folder in
            _ = try LocalAuthority.load(or: folder)
            let path = folder + "/ca.pem"
            let whole = try String(contentsOfFile: path, encoding: .utf8)
            for length in stride(from: 0, to: whole.count - 2, by: 37) {
                let cut = String(whole.prefix(length))
                try cut.write(toFile: path, atomically: false, encoding: .utf8)
                #expect(throws: LocalAuthorityError.self) { try LocalAuthority.load(or: folder) }
                #expect(try String(contentsOfFile: path, encoding: .utf8) == cut)
            }
        }
    }

    @Test func `a certificate with another's key is refused`() throws {
        try TemporaryFolder.run { folder in
            _ = try LocalAuthority.load(or: folder + "/1")
            _ = try LocalAuthority.load(or: folder + "/2")
            let parts = try ["1", "2"].map { name in
                let text = try String(contentsOfFile: folder + "/\(name)/ca.pem", encoding: .utf8)
                return (text, try #require(text.range(of: "-----BEGIN PRIVATE KEY-----")).lowerBound)
            }
            try (String(parts[0].0[..<parts[0].1]) + parts[1].0[parts[1].1...]).write(
                toFile: folder + "/1/ca.pem", atomically: false, encoding: .utf8)
            try expectRefusal(folder + "/1/ca.pem", "key and certificate do not belong together") {
                _ = try LocalAuthority.load(or: folder + "/1")
            }
        }
    }

    @Test func `an authority that has expired is refused`() throws {
        try TemporaryFolder.run { folder in
            _ = try LocalAuthority.load(or: folder)
            try expectRefusal(folder + "/ca.pem", "the authority expired on") {
                _ = try LocalAuthority.load(or: folder, now: Date() + 3651 * Self.day)
            }
        }
    }

    @Test func `a folder that cannot be made is reported`() {
        #expect { try LocalAuthority.load(or: "/proc/nowhere") } throws: { "\($0)".hasPrefix("/proc/nowhere: cannot be made") }
    }

    @Test(arguments: ["two words", "a/b", "http://a", "a..b", "*", "a.*", "ünicode", String(repeating: "a", count: 64), "a:8443", ""])
    func `what is no host name is refused`(host: String) throws {
        try TemporaryFolder.run { folder in
            let authority = try LocalAuthority.load(or: folder)
            if host.isEmpty { return #expect(LocalAuthority.names(for: [host]) == LocalAuthority.names(for: [])) }
            #expect { try authority.identity(hosts: [host]) } throws: {
                "\($0)" == "--host: '\(host)' is neither a host name nor an IP address"
            }
        }
    }

    @Test(.enabled("there is no openssl") { (try? await Command("openssl", "version").output()) != nil })
    func `openssl finds the chain sound, by its strict rules`() async throws {
        let folder = try TemporaryFolder()
        let (trust, chain) = (folder.file("trust.pem"), folder.file("chain.pem"))
        let authority = try LocalAuthority.load(or: folder.path)
        let identity = try authority.identity(hosts: ["sparring.test", "192.0.2.7"])
        try authority.certificatePEM.write(toFile: trust, atomically: true, encoding: .utf8)
        try identity.certificatePEM.write(toFile: chain, atomically: true, encoding: .utf8)
        for name in ["localhost", "host.docker.internal", "sparring.test"] {
            let verified = try await Command(
                "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile", trust, chain
            ).output()
            #expect(verified.hasSuffix("chain.pem: OK\n"))
        }
        for address in ["127.0.0.1", "::1", "10.0.2.2", "192.0.2.7"] {
            let verified = try await Command("openssl", "verify", "-x509_strict", "-verify_ip", address, "-CAfile", trust, chain).output()
            #expect(verified.hasSuffix("chain.pem: OK\n"))
        }
        let leaf = try await Command("openssl", "x509", "-noout", "-text", "-in", chain).output()
        for words in ["TLS Web Server Authentication", "Digital Signature", "CA:FALSE", "prime256v1", "ecdsa-with-SHA256"] {
            #expect(leaf.contains(words), "\(words)")
        }
        let root = try await Command("openssl", "x509", "-noout", "-text", "-in", trust).output()
        for words in ["CA:TRUE", "Certificate Sign, CRL Sign", "CN = Sparring local CA"] { #expect(root.contains(words), "\(words)") }
        // 398 days are the limit of the CA/Browser Forum.
        let late = try await Command("openssl", "x509", "-noout", "-checkend", "\(398 * 86_400 - 3600)", "-in", chain).run()
        #expect(late.status == 1)
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func expectRefusal(_ file: String, _ reason: String, _ body: () throws -> Void) throws {
        let error = #expect(throws: LocalAuthorityError.self, performing: body)
        #expect(error?.file == file && error?.reason.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }
}
