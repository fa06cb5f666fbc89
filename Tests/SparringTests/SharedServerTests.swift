import Foundation
import HTTPTypes
import SparringJSON
import Support
import Testing

/// The commands of a server that is shared, or is one of several.
@Suite(.fewAtATime) struct SharedServerTests {
    @Test func `a sandbox's accounts are added to a balancer's map`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(["--node", "a"], in: folder)
        let note = await server.errorLine()
        #expect(note?.contains("--node without --advertise") == true, "\(note ?? "")")
        let map = folder.file("accounts.map")
        for _ in 0..<2 {
            let made = try await sparring(["sandbox", "create", "--map", map, "--json"], at: server)
            #expect(made.status == 0, "\(made)")
        }
        let lines = try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 12 && Set(lines).count == lines.count && lines.allSatisfy { $0.hasSuffix(" a") }, "\(lines)")
        #expect(Set(lines.map { $0.prefix { $0 != "/" } }).isSuperset(of: ["liveperson", "cxone", "khoros", "asapp", "talkdesk"]))
        let away = try await sparring(["sandbox", "create", "--map", map, "--map-socket", folder.file("none.sock")], at: server)
        #expect(away.status == 73 && away.errors.contains("HAProxy does not answer: No such file or directory"), "\(away)")
        #expect(try await server.stop() == 0)
        let alone = try await ServerProcess.start(in: folder)
        let refused = try await sparring(["sandbox", "create", "--map", map], at: alone)
        #expect(refused.status == 64 && refused.errors.contains("the server has no --node"), "\(refused)")
        #expect(try await alone.stop() == 0)
    }

    @Test func `a server drains by a command or a signal, and stops with its last sandbox`() async throws {
        let folder = try TemporaryFolder()
        for isSignal in [false, true] {
            let server = try await ServerProcess.start(["--max-sandboxes", "2"], in: folder)
            #expect(try await sparring(["sandbox", "create", "--name", "last", "--ttl", "2h"], at: server).status == 0)
            let list = try await sparring(["sandbox", "list"], at: server)
            #expect(list.output.contains("ENDS") && list.output.contains("running  20"), "\(list)")
            let full = try await sparring(["sandbox", "create"], at: server)
            #expect(full.errors.contains("takes 2 (--max-sandboxes)") && full.errors.contains("\n  last: made at"), "\(full)")
            if isSignal {
                server.signal(SIGUSR1)
                let note = await server.errorLine()
                #expect(note?.contains("SIGUSR1: no new sandboxes are taken") == true, "\(note ?? "")")
            } else {
                let drained = try await sparring(["drain", "--deadline", "20m"], at: server)
                #expect(drained.status == 0 && drained.output.contains("no new sandboxes are taken; 1 sandbox is left"), "\(drained)")
            }
            let refused = try await sparring(["sandbox", "create"], at: server)
            #expect(refused.status != 0 && refused.errors.contains("make it at another one"), "\(refused)")
            #expect(try await sparring(["health"], at: server).output.hasSuffix("answers, and takes no new sandboxes\n"))
            #expect(try await sparring(["sandbox", "delete", "last"], at: server).status == 0)
            #expect(try await server.end() == 0)
        }
        let server = try await ServerProcess.start(in: folder)
        let waited = try await sparring(["drain", "--deadline", "1s", "--wait"], at: server)
        #expect(waited.status == 0, "\(waited)")
        #expect(try await server.end() == 0)
    }

    @Test func `a run at an address of several servers goes on at the one that has the sandbox`() async throws {
        let folder = try TemporaryFolder()
        // The host that it hands out is not the one that it is called by.
        let server = try await ServerProcess.start(["--node", "a", "--advertise", "localhost"], in: folder)
        let client = """
            import os, urllib.request
            url, account = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
            assert "//localhost:" in url, url
            urllib.request.urlopen(f"{url}/api/account/{account}/service/idp/baseURI.json?version=1.0", timeout=60).read()
            """
        let script = try folder.write(client, to: "client.py")
        let end = try await sparring(["run", "--url", server.url, "--allow-unexercised", "--", "python3", script], environment: [:])
        #expect(end.status == 0 && end.output.contains(", node a, "), "\(end)")
        #expect(try await server.stop() == 0)
    }

    @Test func `a database is copied while its server writes, and served again`() async throws {
        let folder = try TemporaryFolder()
        let (database, copy) = (folder.file("sparring.db"), folder.file("copy.db"))
        let server = try await ServerProcess.start(["--database", database], in: folder)
        #expect(try await sparring(["sandbox", "create", "--name", "kept"], at: server).status == 0)
        let writing = Task {
            var count = 0
            while !Task.isCancelled {
                _ = try await sparring(["journal", "mark", "again"], at: server)
                count += 1
            }
            return count
        }
        let copied = try await sparring(["database", "copy", database, copy], environment: [:])
        #expect(copied.status == 0 && copied.output.hasSuffix(" bytes, 2 sandboxes\n"), "\(copied)")
        writing.cancel()
        _ = try await writing.value
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal") && !FileManager.default.fileExists(atPath: copy + ".part"))
        let again = try await sparring(["database", "copy", database, copy], environment: [:])
        #expect(again.status == 73 && again.errors.contains("copy.db: already exists"), "\(again)")
        let none = try await sparring(["database", "copy", folder.file("none.db"), folder.file("x.db")], environment: [:])
        #expect(none.status == 66 && none.errors.contains("none.db: there is no such file"), "\(none)")
        #expect(try await server.stop() == 0)
        let restored = try await ServerProcess.start(["--database", copy], in: folder)
        #expect(try await sparring(["sandbox", "list"], at: restored).output.contains("kept"))
        #expect(try await restored.stop() == 0)
    }

    @Test(arguments: [
        (["--node", "A"], "'A' cannot be a node's name"), (["--ttl", "10"], "--ttl: '10' has no unit"),
        (["--ttl", "2h", "--max-ttl", "1h"], "--ttl 2h is longer than --max-ttl 1h"),
        (["--max-sandboxes", "0"], "--max-sandboxes must be from 1 to 1048576"), (["--ttl", "1ms"], "--ttl must be 1s or longer"),
    ])
    func `what cannot be is refused at the start`(_ words: [String], _ expected: String) async throws {
        let end = try await sparring(["serve", "--port", "0"] + words, environment: [:])
        #expect(end.status == 64 && end.errors.contains(expected), "\(end)")
    }
}
