import Foundation
import HTTPTypes
import SparringEngine
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The answers to clients where a sandbox varies them, and the parts that stay as they were decided.
@Suite struct VariedAnswersTests {
    private static let all: JSON = 7

    private static func family(_ names: String...) -> JSON { ["seed": 7, "families": .array(names.map { .string($0) })] }

    /// The ids of what was varied for each lane, in the order of its answers.
    private static func ids(_ server: TestServer) async throws -> [String: [String]] {
        try await server.journal("?kind=exchange&limit=10000").reduce(into: [:]) { lanes, entry in
            lanes[entry["lane"]?.string ?? "", default: []] += (entry["varied"]?.array ?? []).compactMap { $0["id"]?.string }
        }
    }

    /// Each of 16 lanes calls 4 times.
    private static func play(_ server: TestServer, connections: Int, calls: Int = 4) async throws {
        let lanes = (1...16).map { "lane-\($0)" }
        let hands = Dictionary(grouping: lanes.indices) { $0 % connections }.values.map { $0.map { lanes[$0] } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hand in hands {
                group.addTask { for _ in 0..<calls { for lane in hand { try await server.lookUp(lane) } } }
            }
            try await group.waitForAll()
        }
    }

    @Test func `the same seed varies each lane alike, at 1 and at 64 connections, and after a restart`() async throws {
        let one = try await TestServer.run(tenants: acme, vary: Self.all) { server in
            try await Self.play(server, connections: 1)
            return try await Self.ids(server)
        }
        #expect(one.count == 16 && one.values.allSatisfy { !$0.isEmpty } && Set(one.values).count > 1)
        let many = try await TestServer.run(tenants: acme, vary: Self.all) { server in
            try await Self.play(server, connections: 64)
            return try await Self.ids(server)
        }
        #expect(many == one)
        try await TemporaryFolder.database { database in
            for process in 1...2 {
                try await TestServer.run(database: database, tenants: acme, vary: Self.all) { server in
                    try await Self.play(server, connections: 8, calls: 2)
                    if process == 2 { #expect(try await Self.ids(server) == one) }
                }
            }
        }
    }

    @Test func `what was decided is journalled as it was, with what was sent otherwise`() async throws {
        try await TestServer.run(.pipeline, tenants: acme, vary: Self.family("V4")) { server in
            let answer = try await server.lookUp("ada")
            #expect(answer.text.contains("sparring_"))
            let entry = try await server.newest(lookUpService)
            let body = try JSON(parsing: entry["answer"]?["body"]?.string ?? "null")
            #expect(!body.text.contains("sparring_") && body["baseURI"] != nil)
            let varied = entry["varied"]?.array ?? []
            #expect(varied.count == 1 && varied[0]["id"]?.string?.hasPrefix("V4@\(lookUpService)/ada/1#=") == true, "\(varied)")
            #expect(varied[0]["words"]?.string?.contains("added sparring_") == true)
        }
    }

    @Test func `only what is named is varied, and what is left out is not`() async throws {
        try await TestServer.run(.pipeline, tenants: acme, vary: Self.family("V4", "V27")) { server in
            for lane in ["ada", "ben"] { try await server.lookUp(lane) }
            let all = try await Self.ids(server).values.flatMap(\.self)
            for id in all {
                for (member, expected) in [("only", [id]), ("without", all.filter { $0 != id })] as [(String, [String])] {
                    let name = "\(member)-\(all.firstIndex(of: id) ?? 0)"
                    var vary = Self.family("V4", "V27")
                    vary[member] = .array([.string(id)])
                    let tenants: JSON = ["liveperson": ["accountId": .string(name)]]
                    let made = try await server.send(
                        .post, "/__admin/sandboxes", json: ["name": .string(name), "seed": 1, "vary": vary, "tenants": tenants])
                    #expect(made.status == 201, "\(made)")
                    for lane in ["ada", "ben"] { try await server.lookUp(lane, account: name) }
                    let found = try await server.journal("?kind=exchange", sandbox: name).flatMap { $0["varied"]?.array ?? [] }
                    #expect(found.compactMap { $0["id"]?.string }.sorted() == expected.sorted(), "\(member) \(id)")
                }
            }
        }
    }

    @Test func `without it nothing is varied, and a sandbox says what is`() async throws {
        try await TestServer.run(.pipeline, tenants: acme) { server in
            try await server.lookUp("ada")
            #expect(try await server.newest(lookUpService)["varied"] == nil)
            #expect(try await server.admin(.get, "")["vary"] == nil)
            let made = try await server.send(.post, "/__admin/sandboxes", json: ["name": "other", "vary": "9:V5"])
            #expect(made.json?["vary"] == ["seed": 9, "families": ["V5"]])
            // It holds after a reset, too.
            try await server.admin(.post, "reset", nil, sandbox: "other")
            #expect(try await server.admin(.get, "", sandbox: "other")["vary"] == ["seed": 9, "families": ["V5"]])
        }
    }

    @Test(
        arguments: [
            ("x", "/vary", "no seed"), ("7:V99", "/vary", "no family 'V99'"),
            (["seed": 7, "only": ["V5"]], "/vary/only/0", "is not a variation"),
            (["families": ["V5"]], "/vary", "seed"), (true, "/vary", "alternatives"),
        ] as [(JSON, String, String)])
    func `what is no variation is refused, with its place`(_ vary: JSON, _ pointer: String, _ words: String) async throws {
        try await TestServer.run(.pipeline) { server in
            let answer = try await server.send(.post, "/__admin/sandboxes", json: ["name": "other", "vary": vary])
            #expect((400..<500).contains(answer.status), "\(answer)")
            let violation = answer.json?["violations"]?.array?.first
            #expect(violation?["pointer"]?.string?.hasPrefix(pointer) == true && answer.text.contains(words), "\(answer)")
            #expect(server.engine.world.sandbox("other") == nil)
        }
    }

    @Test func `a body in another spelling says the same`() async throws {
        try await TestServer.run(.pipeline, tenants: acme, vary: Self.family("V13")) { server in
            let answer = try await server.lookUp("ada")
            #expect(answer.text.hasPrefix(" \r\n{ \"baseURI\"\t: ") || answer.text.hasPrefix(" \r\n{ \"service\"\t: "), "\(answer.text)")
            let entry = try await server.newest(lookUpService)
            #expect(try answer.json == JSON(parsing: entry["answer"]?["body"]?.string ?? "null"))
            #expect(entry["varied"]?.array?.count == 3)
        }
    }

    // MARK: On the wire

    private static func raw(_ server: TestServer, _ lane: String) async throws -> (head: String, body: [UInt8]) {
        let client = try RawClient(port: server.addresses.port)
        client.send("GET \(lookUpTarget()) HTTP/1.1\r\nHost: localhost\r\nX-Sparring-Lane: \(lane)\r\nConnection: close\r\n\r\n")
        let (bytes, end) = await client.read()
        #expect(end == .closed)
        let text = String(decoding: bytes, as: UTF8.self)
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        return (head, Array(bytes.dropFirst(head.utf8.count + 4)))
    }

    @Test(arguments: 0...3) func `a head in another form says the same`(_ turn: Int64) async throws {
        try await TestServer.run(tenants: acme, vary: ["seed": 7, "families": ["V17"], "turn": .integer(turn)]) { server in
            let (head, body) = try await Self.raw(server, "ada")
            let fields = head.components(separatedBy: "\r\n").dropFirst().map { $0.components(separatedBy: ": ")[0] }
            let words = try await server.newest(lookUpService)["varied"]?.array?.first?["words"]?.string ?? ""
            let isSo =
                switch words {
                case "header names in lower case": fields.allSatisfy { $0 == $0.lowercased() }
                case "header names in upper case": fields.allSatisfy { $0 == $0.uppercased() }
                case "header fields in reverse order": fields.first == "Content-Length" && fields.last == "Date"
                case "an additional header field": fields.contains { $0.hasPrefix("X-Sparring-") }
                default: false
                }
            #expect(isSo, "\(words): \(head)")
            #expect(head.hasPrefix("HTTP/1.1 200 OK") && fields.map { $0.lowercased() }.contains("content-type"))
            let json = try JSON(parsing: body)
            #expect(json["service"] == "idp")
        }
    }

    @Test(arguments: 0...3) func `a body in another framing is the same`(_ turn: Int64) async throws {
        try await TestServer.run(tenants: acme, vary: ["seed": 7, "families": ["V19"], "turn": .integer(turn)]) { server in
            let (head, body) = try await Self.raw(server, "ada")
            let words = try await server.newest(lookUpService)["varied"]?.array?.first?["words"]?.string ?? ""
            let isChunked = head.contains("Transfer-Encoding: chunked")
            #expect(isChunked == words.hasPrefix("chunked") && isChunked != head.contains("Content-Length"), "\(words): \(head)")
            let whole = isChunked ? Self.unchunked(body) : body
            let json = try JSON(parsing: whole)
            #expect(json["service"] == "idp", "\(words)")
        }
        // A library makes nothing of it.
        try await TestServer.run(tenants: acme, vary: ["seed": 7, "families": ["V19"], "turn": .integer(turn)]) { server in
            let answer = try await server.lookUp("ada")
            #expect(answer.json?["service"] == "idp")
        }
    }

    @Test func `an HTTP/1.0 client gets no chunks`() async throws {
        for turn in 0...3 {
            try await TestServer.run(tenants: acme, vary: ["seed": 7, "families": ["V19"], "turn": .integer(Int64(turn))]) { server in
                let client = try RawClient(port: server.addresses.port)
                client.send("GET \(lookUpTarget()) HTTP/1.0\r\nHost: localhost\r\n\r\n")
                let text = String(decoding: await client.read().0, as: UTF8.self)
                #expect(text.contains("Content-Length") && !text.contains("chunked"))
            }
        }
    }

    /// RFC 9112 §7.1, with nothing but the standard's grammar.
    private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        var rest = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")[...]
        var body = ""
        while let line = rest.popFirst(), let size = Int(line.prefix { $0 != ";" }, radix: 16), size > 0 {
            let chunk = rest.popFirst() ?? ""
            #expect(chunk.utf8.count == size)
            body += chunk
        }
        return Array(body.utf8)
    }

    @Test func `a fault acts on what was varied, and neither is lost`() async throws {
        try await TestServer.run(.pipeline, tenants: acme, vary: Self.family("V4", "V17")) { server in
            try await server.arm("\(lookUpService) wrong-content-type")
            let answer = try await server.lookUp("ada")
            #expect(answer.text.contains("sparring_") && answer.headers[.contentType]?.contains("json") != true, "\(answer)")
            let entry = try await server.newest(lookUpService)
            #expect(entry["faults"] == [1] && entry["varied"]?.array?.count == 1, "the way is the fault's: \(entry)")
            // What a fault puts in its place is the fault's alone.
            try await server.admin(.delete, "faults")
            try await server.arm("\(lookUpService) status code=503 phase=onResponseStart")
            #expect(try await server.lookUp("ada").status == 503)
            #expect(try await server.newest(lookUpService)["varied"] == nil)
        }
    }

    // MARK: What comes back

    @Test func `a token that was made longer is taken back`() async throws {
        try await TestServer.run(tenants: acme, vary: Self.family("V9")) { server in
            let form: KeyValuePairs = [
                "grant_type": "client_credentials", "client_id": "brand-app", "client_secret": try await Self.secret(server),
            ]
            let issued = try await server.send("/identity/brand/token", form: form)
            let token = try #require(issued.json?["access_token"]?.string)
            #expect(token.hasSuffix("z") && token.contains("_sparring"), "\(issued)")
            let asked = try await server.send(
                "/identity/brand/introspect",
                form: ["token": token, "client_id": "brand-app", "client_secret": try await Self.secret(server)])
            #expect(asked.json?["active"] == true, "\(asked)")
            // The same value is the same wherever it is sent.
            let entry = try await server.newest("identity.token")
            #expect(entry["answer"]?["body"]?.string?.contains("_sparring") == false)
            #expect(entry["varied"]?.array?.first?["words"]?.string?.contains("characters") == true)
        }
    }

    private static func secret(_ server: TestServer) async throws -> String {
        try await server.admin(.get, "")["tenants"]?["identity"]?["clientSecret"]?.string ?? ""
    }

    @Test func `what one vendor asks another is not varied`() async throws {
        try await TestServer.run(tenants: acme, vary: Self.all) { server in
            let code = try await server.admin(.post, "credentials", ["form": "code", "subject": "ada"])["credential"] ?? .null
            let answer = try await server.send(.post, "/api/account/acme/app/default/authenticate?v=2.0", json: ["code": code])
            #expect(answer.status == 200, "\(answer)")
            let inner = try await server.newest("identity.token")
            #expect(inner["causedBy"] != nil && inner["varied"] == nil, "\(inner)")
            #expect(try await server.newest("liveperson.authenticateV2")["varied"] != nil)
        }
    }
}
