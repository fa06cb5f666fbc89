import SparringJSON
import Support
import Testing

/// `sparring consumer`
@Suite struct ConsumerCommandTests {
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
        #expect(why.status == 1 && why.errors.contains("'another-device' or 'log-out' or 'revoked'"), "\(why.errors)")
        #expect(try await consumer("sign-out", "ada").status == 64)
        _ = try await server.stop()
    }
}
