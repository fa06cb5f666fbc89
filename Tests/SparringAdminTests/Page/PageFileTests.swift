import BirdSupport
import Foundation
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTestKit
import Support
import Testing

/// The live page as files: what is served, to whom, and what the files may hold.
@Suite struct PageFileTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]
    private static var folder: URL { URL(fileURLWithPath: Cast.page) }
    private static var files: [URL] {
        get throws { try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) }
    }

    @Test(
        arguments: [
            ("/", browser, 200, "text/html; charset=utf-8"), ("/", [:], 200, "text/plain; charset=utf-8"),
            ("/__sparring/", [:], 200, "text/html; charset=utf-8"), ("/__sparring/default", [:], 200, "text/html; charset=utf-8"),
            ("/__sparring/no-such-sandbox", [:], 200, "text/html; charset=utf-8"),
            ("/__sparring/files/app.js", [:], 200, "text/javascript"), ("/__sparring/files/page.css", [:], 200, "text/css"),
            ("/__sparring/files/ap.js", [:], 404, "application/problem+json"),
            ("/__sparring/files/..%2FPageFiles.swift", [:], 404, "application/problem+json"),
            ("/__sparring/files/..", [:], 404, "application/problem+json"), ("/__sparring", [:], 404, "application/problem+json"),
        ] as [(String, HTTPFields, Int, String)])
    func `each file comes as what it is, and nothing else comes`(_ target: String, _ headers: HTTPFields, _ status: Int, _ type: String)
        async throws
    {
        try await Aviary.run(.pipeline) { server in
            let answer = try await server.send(.get, target, headers: headers)
            #expect(answer.status == status && answer.headers[.contentType] == type, "\(answer.text)")
            guard status == 200, type != "text/plain; charset=utf-8" else { return }
            let policy = answer.headers[.init("Content-Security-Policy")!] ?? ""
            for directive in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"] {
                #expect(policy.contains(directive))
            }
            #expect(!policy.contains("unsafe") && answer.headers[.init("X-Content-Type-Options")!] == "nosniff")
        }
    }

    @Test(arguments: ["/__sparring/", "/__sparring/default", "/__sparring/files/app.js"])
    func `without a page there is none`(_ target: String) async throws {
        try await Aviary.run(.pipeline, configure: { $0.page = nil }) { server in
            #expect(Problem(try await server.send(.get, target)).words == "404 page-off")
            let root = try await server.send(.get, "/", headers: Self.browser)
            #expect(root.headers[.contentType] == "text/plain; charset=utf-8" && !root.text.contains("Live page"))
        }
    }

    @Test func `a server does not start with a folder that has no page`() async throws {
        let error = await #expect(throws: ToolError.self) {
            try await Aviary.run(.pipeline, configure: { $0.page = Repository.folder("contracts") }) { _ in }
        }
        #expect(error?.description == "\(Repository.folder("contracts")) has no live page: index.html is missing")
    }

    /// The page needs no token: it asks for it, and sends it with each call of the admin API.
    @Test(
        arguments: [
            ([:], 200), ([.init("Host")!: "evil.example"], 403), ([.origin: "http://evil.example"], 403),
            ([.init("Sec-Fetch-Site")!: "cross-site"], 403),
            ([.init("Sec-Fetch-Site")!: "cross-site", .init("Sec-Fetch-Mode")!: "navigate", .init("Sec-Fetch-Dest")!: "iframe"], 403),
            ([.init("Sec-Fetch-Site")!: "cross-site", .init("Sec-Fetch-Mode")!: "navigate", .init("Sec-Fetch-Dest")!: "document"], 200),
        ] as [(HTTPFields, Int)])
    func `it is opened under the server's names, by nobody's page, and by a link`(_ headers: HTTPFields, _ status: Int) async throws {
        try await Aviary.run(.pipeline, configure: { $0.adminToken = "secret" }) { server in
            for target in ["/", "/__sparring/", "/__sparring/default", "/__sparring/files/app.js"] {
                var all = headers
                all[.accept] = "text/html"
                let answer = try await server.send(.get, target, headers: all)
                #expect(answer.status == status, "\(target)")
            }
            var link = headers
            link[.accept] = "application/json"
            let admin = try await server.send(.get, "/__admin/sandboxes", headers: link)
            #expect(admin.status != 200)
        }
    }

    /// Raw, as they are served.
    @Test func `all files together are no more than 96 KiB`() throws {
        let sizes = try Self.files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) <= 96 << 10)
    }

    /// The only ways by which data from a client can become markup or code.
    @Test func `no file has a way from text to markup or code`() throws {
        let ways = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser",
            "createContextualFragment",
            "srcdoc", "javascript:", "setHTMLUnsafe",
        ]
        for file in try Self.files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for way in ways { #expect(!text.contains(way), "\(file.lastPathComponent): \(way)") }
            guard file.pathExtension == "html" else { continue }
            #expect(
                text.firstMatch(of: /<script(?![^>]*\ssrc=)/) == nil && !text.contains("<style")
                    && text.firstMatch(of: /\son[a-z]+=/) == nil)
        }
    }
}
