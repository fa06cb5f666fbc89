import Foundation
import SparringJSON
import Support
import Testing

/// `sparring journal` as people and scripts read it.
@Suite(.fewAtATime) struct JournalCommandTests {
    /// A server at which one call is refused, one matches nothing and one is not TLS.
    private static func server(in folder: TemporaryFolder, _ arguments: [String] = []) async throws -> ServerProcess {
        let server = try await ServerProcess.start(["--fault", "*.DomainLookup.* unavailable times=1"] + arguments, in: folder)
        let account = try #require(
            try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
        for _ in 1...2 { _ = try await server.get("/api/account/\(account)/service/idp/baseURI.json?version=1.0") }
        _ = try await server.send(
            "POST", "/api/account/\(account)/app/default/authenticate?v=2.0",
            body: Array(#"{"id_token":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.c2ln"}"#.utf8),
            headers: [("Content-Type", "application/json")])
        _ = try await server.get("/nowhere")
        return server
    }

    @Test func `the newest entries, entries of a kind, JSON Lines, and without credentials`() async throws {
        let server = try await Self.server(in: try TemporaryFolder())
        func journal(_ words: String...) async throws -> Command.End { try await sparring(["journal"] + words, at: server) }
        let whole = try await journal("--json-lines")
        let lines = try whole.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        let numbers = lines.compactMap { $0["number"]?.integer }
        #expect(numbers == numbers.sorted() && numbers.count == 3)
        let tail = try await journal("--tail", "2", "--json-lines")
        #expect(tail.output.split(separator: "\n").count == 2 && whole.output.hasSuffix(tail.output))
        let refused = try await journal("--tail", "1", "--operation", "liveperson.lookUpService", "--json-lines")
        #expect(try JSON(parsing: refused.output)["answer"]?["status"] == 200)
        #expect(whole.output.contains("eyJhbGciOiJub25lIn0") && whole.output.contains(".«jwt:1»"))
        let sent = try await journal("--json-lines", "--with-credentials")
        #expect(sent.output.contains("eyJhbGciOiJub25lIn0") && !sent.output.contains("«"))
        #expect(sent.output.split(separator: "\n").count == lines.count)
        let page = try await journal("--json")
        #expect(try JSON(parsing: page.output)["entries"]?.array == lines)
        _ = try await server.stop()
    }

    /// At Khoros a call's lane is the client's id, and the journal knows the person once the user has logged in.
    @Test func `a person's entries are found by name, and chaos says in which lane the person calls`() async throws {
        let server = try await ServerProcess.start(["--vendor", "khoros"], in: try TemporaryFolder())
        let app = try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?["khoros"]?["appId"]?.string)
        let minted = try await sparring(["credential", "mint", "--form", "app-jwt", "--subject", "ann"], at: server).output
        let login = try await server.send(
            "POST", "/v2/apps/\(app)/login",
            body: Array(#"{"userId":"ann","client":{"id":"phone-1","platform":"ios"}}"#.utf8),
            headers: [
                ("Content-Type", "application/json"), ("x-smooch-clientid", "phone-1"),
                ("Authorization", "Bearer " + minted.trimmingCharacters(in: .whitespacesAndNewlines)),
            ])
        #expect(login.status == 200, "\(login)")
        let found = try await sparring(["journal", "--lane", "ann", "--operation", "khoros.logIn", "--json-lines"], at: server)
        let entry = try JSON(parsing: try #require(found.output.split(separator: "\n").first.map(String.init)))
        #expect(entry["actor"] == "ann" && entry["lane"] == "phone-1", "\(found)")
        let armed = try await sparring(["fault", "add", "khoros.logIn status code=500 probability=0.5 subject=ann"], at: server)
        #expect(armed.status == 0 && armed.errors == "sparring: ann calls in another lane: subject=phone-1\n", "\(armed)")
        let plan = try await sparring(["chaos", "plan", "--lane", "ann", "--lane", "phone-1", "--lane", "bob"], at: server)
        let hints = "sparring: ann calls in another lane: --lane phone-1\nsparring: no call was in lane 'bob' so far; there is phone-1\n"
        #expect(plan.status == 0 && plan.errors == hints, "\(plan)")
        for (lane, words) in [
            ("phone-1", "'phone-1' is known as ann: --lane ann"), ("anna", "nothing is in lane 'anna'; there is ann"),
        ] {
            let none = try await sparring(["journal", "--lane", lane], at: server)
            #expect(
                none.output.isEmpty && none.errors == "sparring: no entry of sandbox 'default' matches\nsparring: \(words)\n", "\(none)")
            let lines = try await sparring(["journal", "--lane", lane, "--json-lines"], at: server)
            #expect(lines.output.isEmpty && lines.errors == "sparring: \(words)\n", "\(lines)")
        }
        let other = try await sparring(["journal", "--lane", "ann", "--operation", "khoros.logOut"], at: server)
        #expect(other.errors == "sparring: no entry of sandbox 'default' matches\n", "\(other)")
        _ = try await server.stop()
    }

    @Test func `verbose has heads, bodies and what tokens say`() async throws {
        let server = try await Self.server(in: try TemporaryFolder())
        let verbose = try await sparring(["journal", "--verbose", "--operation", "liveperson.authenticateV2"], at: server)
        for words in [
            "        > POST /api/account/", "        > Content-Type: application/json", #"        >   "id_token": "eyJ"#, "        < ",
            #"        token eyJhbGciOiJub25l… {"alg":"none"}"#, #"          "sub": "ada""#,
        ] { #expect(verbose.output.contains(words), "\(words) – \(verbose.output)") }
        let shared = try await sparring(["journal", "-v", "--redact"], at: server)
        #expect(!shared.output.contains("eyJ") && !shared.output.contains("ada"), "\(shared.output)")
        _ = try await server.stop()
    }

    @Test func `a device token that is a JWT stands in no line, and in nothing that is shared`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        let company = try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?["asapp"]?["appId"]?.string)
        let named = ("asapp-api-id", company)
        let started = try await server.post(
            "/chat/v1/session", ["userIdentifier": .null, "context": [:], "platform": "ios"], headers: [named])
        let session = try #require(started.json?["sessionToken"]?.string, "\(started.text)")
        let customer = try #require(started.json?["customerId"])
        // {"email":"ann@example.com","phone":"+12025550123"}
        let token = "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFubkBleGFtcGxlLmNvbSIsInBob25lIjoiKzEyMDI1NTUwMTIzIn0.c2ln"
        let registered = try await server.send(
            "PUT", "/chat/v1/push-token", body: (["deviceToken": .string(token), "platform": "ios"] as JSON).bytes,
            headers: [named, ("Authorization", "Bearer \(session)"), ("Content-Type", "application/json")])
        #expect(registered.status == 204, "\(registered.text)")
        let pushed = try await server.post(
            "/__admin/sandboxes/default/acts",
            ["operation": "push", "vendor": "asapp", "with": ["consumer": customer, "text": "hello"]])
        #expect(pushed.status < 300, "\(pushed.text)")
        var arrived: [JSON] = []
        for _ in 1...1000 where arrived.isEmpty { arrived = try await server.journal("asapp.receivePush") }
        #expect(arrived.last?["lane"]?.string == token, "\(arrived)")

        let lines = try await sparring(["journal"], at: server)
        #expect(lines.output.contains("asapp.receivePush") && !lines.output.contains("eyJ"), "\(lines)")
        for words in [["journal", "--json-lines"], ["journal", "--json"], ["journal", "-v", "--redact"], ["contract", "export", "har"]] {
            let shared = try await sparring(words, at: server)
            #expect(shared.status == 0 && shared.output.contains("receivePush"), "\(shared)")
            for secret in ["eyJ", "ann@example.com", String(token.dropFirst(24).prefix(16))] {
                #expect(!shared.output.contains(secret), "\(words)")
            }
        }
        _ = try await server.stop()
    }

    @Test func `what matched nothing is listed with what to do`() async throws {
        let server = try await Self.server(in: try TemporaryFolder())
        let plain = try RawClient(port: Int(server.tlsPort))
        plain.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = await plain.read()
        var listed = ""
        for _ in 1...100 where !listed.contains("plain HTTP") {
            listed = try await sparring(["journal", "--unplaced"], at: server).output
        }
        #expect(listed.contains("unplaced  no operation matches GET /nowhere"), "\(listed)")
        #expect(listed.contains("unplaced  plain HTTP came to the TLS port \(server.tlsPort): call https:// there"), "\(listed)")
        let watched = try await sparring(["journal", "--unplaced", "--follow", "--limit", "2"], at: server)
        #expect(watched.status == 0 && watched.output == listed, "\(watched)")
        let lines = try await sparring(["journal", "--unplaced", "--json-lines"], at: server)
        #expect(try JSON(parsing: String(lines.output.prefix { $0 != "\n" }))["target"] == "/nowhere")
        _ = try await server.stop()
    }

    @Test func `what is printed to send a call again says that it counts as the client's, beside its output`() async throws {
        let server = try await Self.server(in: try TemporaryFolder())
        let tail = try await sparring(["journal", "--tail", "1", "--kind", "exchange", "--json-lines"], at: server)
        let number = try #require(try JSON(parsing: tail.output)["number"]?.text)
        for form in ["curl", "python", "swift"] {
            let shown = try await sparring(["journal", "show", number, "--as", form], at: server)
            #expect(shown.status == 0 && !shown.output.contains("journal resend"), "\(form): \(shown)")
            #expect(
                shown.errors == "sparring: sent like this, it counts as the client's own call; "
                    + "`sparring journal resend \(number)` sends it without being judged\n", "\(form): \(shown)")
        }
        let tokens = try await sparring(["journal", "show", number, "--as", "tokens"], at: server)
        #expect(tokens.status == 0 && tokens.errors.isEmpty, "\(tokens)")
        _ = try await server.stop()
    }

    @Test func `a saved database is read without a server`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.db")
        let server = try await Self.server(in: folder, ["--database", file])
        let live = try await sparring(["journal", "--json-lines"], at: server)
        _ = try await server.stop()
        let saved = try await sparring(["journal", "--database", file, "--json-lines"], environment: [:])
        #expect(saved.status == 0 && saved.output == live.output, "\(saved)")
        let tail = try await sparring(["journal", "--database", file, "--tail", "1", "--kind", "exchange"], environment: [:])
        #expect(tail.output.contains("liveperson.authenticateV2") && tail.output.contains("→"), "\(tail)")
        let none = try await sparring(["journal", "--database", file, "--sandbox", "nope"], environment: [:])
        #expect(none.status == 64 && none.errors.contains("there is no sandbox 'nope' in it; there are default"), "\(none)")
        let other = try await sparring(["journal", "--database", file, "--lane", "nobody"], environment: [:])
        let words = "sparring: no entry of sandbox 'default' matches\nsparring: nothing is in lane 'nobody'; there "
        #expect(other.status == 0 && other.output.isEmpty && other.errors.hasPrefix(words), "\(other)")
    }

    @Test(arguments: [
        (["--tail", "0"], "--tail must be from 1"), (["--tail", "3", "--since", "4"], "--tail counts from the end"),
        (["--unplaced", "--lane", "ada"], "--unplaced lists calls that belong to no sandbox"),
        (["--database", "x", "--follow"], "a saved database has ended"),
        (["--json", "--json-lines"], "give one of them"),
    ])
    func `what does not go together is refused`(words: [String], reason: String) async throws {
        let end = try await sparring(["journal"] + words, environment: [:])
        #expect(end.status == 64 && end.errors.contains(reason), "\(end)")
    }
}
