import SparringJSON
import Support
import Testing

/// `sparring consumer`
@Suite(.fewAtATime) struct ConsumerCommandTests {
    @Test func `consumers are listed and signed out`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        func consumer(_ words: String...) async throws -> Command.End {
            try await sparring(["consumer"] + words + ["--sandbox", "shop"], at: server)
        }
        let create = "sandbox create --name shop --clock frozen --now 2026-01-01T00:00:00Z --tenant liveperson={\"accountId\":\"acme\"}"
        #expect(try await sparring(create.split(separator: " ").map { String($0) }, at: server).status == 0)
        #expect(try await consumer("list").output == "nobody has signed in to shop\n")
        let minted = try await sparring(["credential", "mint", "--form", "jwt", "--subject", "ada", "--sandbox", "shop"], at: server).output
        #expect(try await server.post("/api/account/acme/authenticate", ["authCode": .string(String(minted.dropLast()))]).status == 200)

        let done = try await consumer("sign-out", "ada", "--reason", "revoked")
        #expect(done.status == 0 && done.output == "no socket was open\ntokens given out before are refused\n", "\(done)")
        let list = try await consumer("list").output
        #expect(list.contains("ada       liveperson  0        1         1          2026-01-01T00:00:00.000Z"), "\(list)")

        let nobody = try await consumer("sign-out", "adda", "--reason", "revoked")
        #expect(nobody.status == 1 && nobody.errors.contains("did you mean 'ada'?"), "\(nobody.errors)")
        let why = try await consumer("sign-out", "ada", "--reason", "bored")
        #expect(why.status == 1 && why.errors.contains("'another-device', 'log-out', 'revoked'"), "\(why.errors)")
        #expect(try await consumer("sign-out", "ada").status == 64)
        _ = try await server.stop()
    }

    /// GitHub Actions takes lines of what a step prints for commands.
    @Test func `what strangers are called commands no build`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        for name in ["::error::fooled", "##[error]fooled"] {
            let minted = try await sparring(["credential", "mint", "--form", "jwt", "--subject", name], at: server).output
            let account = try #require(
                try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
            let signIn: JSON = ["authCode": .string(String(minted.dropLast()))]
            #expect(try await server.post("/api/account/\(account)/authenticate", signIn).status == 200)
        }
        func list(onGitHub: Bool, _ words: String...) async throws -> String {
            let environment = ["SPARRING_URL": server.url, "GITHUB_ACTIONS": String(onGitHub)]
            return try await sparring(["consumer", "list"] + words, environment: environment).output
        }
        func commands(_ output: String) -> Int {
            output.split(whereSeparator: \.isNewline).count { $0.hasPrefix("::") || $0.contains("##[") }
        }
        let plain = try await list(onGitHub: false)
        #expect(commands(plain) == 2, "\(plain)")
        let defused = try await list(onGitHub: true)
        #expect(commands(defused) == 0 && defused.contains(":error::fooled") && defused.contains("#[error]fooled"), "\(defused)")
        // What programs read says the same.
        let json = try await list(onGitHub: true, "--json")
        let plainJSON = try JSON(parsing: try await list(onGitHub: false, "--json"))
        #expect(try !json.contains("##[") && JSON(parsing: json) == plainJSON)
        _ = try await server.stop()
    }
}
