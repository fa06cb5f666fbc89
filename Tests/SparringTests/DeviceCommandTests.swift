import Foundation
import SparringJSON
import Support
import Testing

/// `sparring device`, and pushes that outlive their process.
@Suite(.fewAtATime) struct DeviceCommandTests {
    /// Signs ada in at a sandbox with a frozen clock and registers her phone.
    private func register(_ server: ServerProcess, _ account: String = "acme") async throws {
        let create =
            "sandbox create --name shop --clock frozen --now 2026-01-01T00:00:00Z --tenant liveperson={\"accountId\":\"\(account)\"}"
        #expect(try await sparring(create.split(separator: " ").map { String($0) }, at: server).status == 0)
        let minted = try await sparring(["credential", "mint", "--form", "jwt", "--subject", "ada", "--sandbox", "shop"], at: server).output
        let signedIn = try await server.post("/api/account/\(account)/authenticate", ["authCode": .string(String(minted.dropLast()))])
        let token = try #require(signedIn.json?["jwt"]?.string)
        let registered = try await server.send(
            "PUT", "/mock/pusher/account/\(account)/registrations/test.brand.app",
            body: (["deviceToken": "phone-1", "pushType": "APNS"] as JSON).bytes,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")])
        #expect(registered.status == 201, "\(registered.text)")
    }

    private func device(_ words: String..., at server: ServerProcess) async throws -> Command.End {
        try await sparring(["device"] + words + ["--sandbox", "shop"], at: server)
    }

    @Test func `devices are listed, pushed to, read and followed`() async throws {
        let server = try await ServerProcess.start(in: try TemporaryFolder())
        try await register(server)
        async let followed = device("notifications", "phone-1", "--follow", "--limit", "2", "--json", at: server)
        let pushed = try await device("push", "ada", "Your parcel waits", at: server)
        #expect(pushed.status == 0 && pushed.output == "push with badge 1 to device phone-1\n", "\(pushed)")
        #expect(try await device("push", "ada", "Go on here", "--set", "backendService=c2m", at: server).status == 0)
        let lines = try await followed.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(lines.map { $0["backendService"] } == ["prmsg", "c2m"])

        let list = try await device("list", at: server).output
        #expect(list.contains("phone-1  APNS  test.brand.app  ada       ada         2"), "\(list)")
        let read = try await device("notifications", "phone-1", "--since", "2", at: server).output
        #expect(read == "     2  2026-01-01T00:00:00.000Z  badge 1  ada  c2m  Brand: Go on here\n", "\(read)")
        let file = try JSON(parsing: try await device("apns", "phone-1", "1", at: server).output)
        #expect(file["Simulator Target Bundle"] == "test.brand.app" && file["aps"]?["alert"] == "Brand: Your parcel waits")

        let nobody = try await device("push", "ad", "x", at: server)
        #expect(nobody.status == 1 && nobody.errors.contains("did you mean 'ada'?"), "\(nobody.errors)")
        let unknown = try await device("notifications", "phone-2", at: server)
        #expect(unknown.status == 1 && unknown.errors.contains("did you mean phone-1?"), "\(unknown.errors)")
        _ = try await server.stop()
    }

    @Test func `a push that waits to be sent again outlives kill -9`() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["--database", folder.file("push.sqlite")]
        let killed = try await ServerProcess.start(arguments, in: folder)
        try await register(killed)
        let fault = ["fault", "add", "liveperson.deliverPush", "unavailable", "times=1", "--sandbox", "shop"]
        #expect(try await sparring(fault, at: killed).status == 0)
        #expect(try await device("push", "ada", "Your parcel waits", at: killed).status == 0)
        #expect(try await sparring(["clock", "advance", "1s", "--sandbox", "shop"], at: killed).status == 0)
        killed.signal(SIGKILL)
        _ = try await killed.end()

        let server = try await ServerProcess.start(arguments, in: folder)
        let clock = try await sparring(["clock", "show", "--sandbox", "shop"], at: server).output
        #expect(clock.contains("push for ada to device phone-1, attempt 2"), "\(clock)")
        #expect(try await sparring(["clock", "advance", "1h", "--sandbox", "shop"], at: server).status == 0)
        let read = try await device("notifications", "phone-1", at: server).output
        #expect(read == "     1  2026-01-01T00:00:10.000Z  badge 1  ada  prmsg  Brand: Your parcel waits\n", "\(read)")
        let journal = try await sparring(["journal", "--kind", "due", "--sandbox", "shop"], at: server).output
        #expect(journal.contains("attempt 1 of 4: 503: again in 10 s") && journal.contains("attempt 2 of 4: accepted"), "\(journal)")
        _ = try await server.stop()
    }
}
