import Foundation
import SparringJSON
import Support
import Testing

@Suite(.fewAtATime) struct ServeTests {
    @Test func `the ready file says where the server is, and SIGTERM ends it with 0`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        #expect(server.ready["pid"]?.integer == Int64(server.pid))
        #expect(try await server.get("/__admin/health").status == 200)
        #expect(server.greeting.contains(server.url))
        #expect(try await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("ready.json")))
    }

    @Test func `with TLS defects there is a port for each, in the greeting and in the ready file`() async throws {
        let server = try await ServerProcess.start(["--tls-defects"], in: try TemporaryFolder())
        let ports = try #require(server.ready["tlsDefects"]?.object)
        #expect(
            ports.keys == ["expired", "not-yet-valid", "old-tls", "self-signed", "stalled-handshake", "untrusted-issuer", "wrong-host"])
        #expect(try await server.get("/__admin/health").json?["tlsDefects"] == .object(ports))
        for (name, port) in ports {
            #expect(server.greeting.contains(name) && server.greeting.contains("port \(port.integer ?? 0)"))
        }
        #expect(try await server.stop() == 0)
    }

    @Test(.enabled("Python has not what the peers need: make peers") { await Command.pythonHas("requests", "ssl") })
    func `a Python client turns away from each TLS defect, and one that does not is found out`() async throws {
        let server = try await ServerProcess.start(["--tls-defects"], in: try TemporaryFolder())
        let output = try await Command.python([Repository.folder("Tests/peers/tls_defects.py"), server.url]).output()
        #expect(output.hasSuffix(" checks passed\n"), "\(output)")
        #expect(try await server.stop() == 0)
    }

    @Test(.enabled("Python has not what the peers need: make peers") { await Command.pythonHas("httpx", "requests", "websockets") })
    func `apps with their vendors' hosts built in reach the emulation by the proxy, and nothing else is reached`() async throws {
        let output = try await Command.python([Repository.folder("Tests/peers/proxied.py"), Repository.binary]).output()
        #expect(output.hasSuffix(" checks passed\n"), "\(output)")
    }

    @Test func `the proxy's port is printed, in the ready file and in health, and each platform is shown the way to it`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(["--proxy-port", "0"], in: folder)
        let port = try #require(server.ready["proxyPort"]?.integer)
        #expect(server.greeting.contains("proxy         http://127.0.0.1:\(port) "))
        #expect(try await server.get("/__admin/health").json?["proxyPort"]?.integer == port)
        for platform in ["ios-simulator", "ios-device", "android", "macos", "debian", "node", "python", "java", "curl"] {
            var command = Command(Repository.binary, ["trust", platform])
            command.environment = ["SPARRING_URL": server.url, "XDG_DATA_HOME": folder.path]
            let shown = try await command.output()
            #expect(shown.contains("\(port)") && shown.contains("forward proxy"), "\(shown)")
        }
        #expect(try await server.stop() == 0)
    }

    @Test func `SIGTERM lets a delayed request finish, released at the deadline`() async throws {
        let server = try await ServerProcess.start(
            ["--grace", "0", "--fault", "liveperson.DomainLookup.* delay by=1h"], in: try TemporaryFolder())
        let account = try await account(of: server)
        async let delayed = server.get("/api/account/\(account)/service/idp/baseURI.json")
        // The delay is visible in the clock before the signal is sent.
        var pending = 0
        while pending == 0 {
            pending = try await server.get("/__admin/sandboxes/default/clock").json?["pending"]?.array?.count ?? 0
        }
        server.signal(SIGTERM)
        #expect(try await delayed.status == 200)
        #expect(try await server.end() == 0)
    }

    @Test(arguments: [
        (["--fault", "liveperson.Login.* token-expird"], 64, "nearest: token-expired"),
        (["--bind", "nowhere"], 64, "'nowhere' is not an IPv4 or IPv6 address"),
        (["--config", "NOWHERE.yaml"], 66, "nowhere.yaml: cannot be read"), (["--config", "/proc/version"], 65, "/proc/version"),
        (["--database", "NOWHERE/x.db"], 73, "unable to open database file"),
        (["--contracts", "NOWHERE"], 66, "cannot read this directory of contracts"),
        (["--scenario", "pusher-down-for-31"], 64, "did you mean pusher-down-for-31s"),
        (["--scenario", "NOWHERE.yaml"], 66, "nowhere.yaml: cannot be read"),
        (["--scenario", "certificate-expired", "--no-tls"], 64, "needs the TLS port 'expired', which --no-tls does not open"),
    ])
    func `what cannot be started is refused with a reason`(arguments: [String], status: Int32, reason: String) async throws {
        let error = try await #require(throws: ServerProcess.Failed.self) {
            let folder = try TemporaryFolder()
            return try await ServerProcess.start(arguments.map { $0.replacing("NOWHERE", with: folder.file("nowhere")) }, in: folder)
        }
        #expect(error.status == status)
        #expect(error.text.contains(reason), "\(error.text)")
    }

    @Test func `a port in use is named`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        let port = server.ready["port"]?.integer ?? 0
        let error = try await #require(throws: ServerProcess.Failed.self) {
            try await ServerProcess.start(["--port", String(port)], in: try TemporaryFolder())
        }
        #expect(error.text.contains("port \(port)") && error.text.contains("another server is using it"), "\(error.text)")
        _ = try await server.stop()
    }

    @Test func `SIGHUP reads the configuration again, and a bad file changes nothing`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("sandboxes:\n  - name: default\n    tenants: {liveperson: {accountId: acme}}\n", to: "config.yaml")
        let server = try await ServerProcess.start(["--config", file], in: folder)
        #expect(try await account(of: server) == "acme")

        _ = try folder.write("sandboxes:\n  - name: default\n    faults: ['liveperson.Logn.* token-expired']\n", to: "config.yaml")
        server.signal(SIGHUP)
        let refused = try #require(await server.errorLine())
        #expect(refused.contains("nothing was changed") && refused.contains("config.yaml:3"), "\(refused)")
        #expect(try await server.get("/__admin/sandboxes/default/faults").json?["faults"] == [])

        _ = try folder.write(
            "sandboxes:\n  - name: default\n    faults: ['liveperson.Login.* token-expired']\n  - name: second\n", to: "config.yaml")
        server.signal(SIGHUP)
        #expect(await server.errorLine()?.contains("sandbox default: changed") == true)
        #expect(try await server.get("/__admin/sandboxes/default/faults").json?["faults"]?.array?.count == 1)
        #expect(try await server.get("/__admin/sandboxes/second").status == 200)
        _ = try await server.stop()
    }

    @Test func `a configuration file makes sandboxes of scenarios, by name or from a file beside it, and they go on when it is read again`()
        async throws
    {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            "scenario: own\ntitle: t\nabout: a\nsandbox: { seed: 9, faults: ['liveperson.lookUpService status code=503'] }\n",
            to: "own.yaml")
        let config = """
            sandboxes:
              - { name: default, scenario: pusher-down-for-31s }
              - { name: second, scenario: ./own.yaml, seed: 4, faults: ["identity.token delay by=1s"] }

            """
        let file = try folder.write(config, to: "config.yaml")
        let server = try await ServerProcess.start(["--config", file], in: folder)
        #expect(try await server.get("/__admin/sandboxes/default").json?["scenario"] == "pusher-down-for-31s")
        let second = try await server.get("/__admin/sandboxes/second").json
        #expect(second?["scenario"] == "own" && second?["seed"] == 4)
        func faults() async throws -> [JSON] {
            try await server.get("/__admin/sandboxes/second/faults").json?["faults"]?.array?.compactMap { $0["text"] } ?? []
        }
        #expect(try await faults() == ["liveperson.lookUpService status code=503", "identity.token delay by=1s"])

        _ = try await server.send("DELETE", "/__admin/sandboxes/second/faults/1")
        _ = try folder.write(config.replacing("pusher-down-for-31s", with: "stale-badge"), to: "config.yaml")
        server.signal(SIGHUP)
        #expect(
            await server.errorLine()
                == "sparring: sandbox default: as declared; it was made from scenario 'pusher-down-for-31s' and continues")
        #expect(await server.errorLine()?.contains("sandbox second: as declared") == true)
        #expect(try await faults() == ["identity.token delay by=1s"], "its faults are its timeline's affair")

        _ = try folder.write(config.replacing("pusher-down-for-31s", with: "pusher-down-for-32s"), to: "config.yaml")
        server.signal(SIGHUP)
        let refused = try #require(await server.errorLine())
        #expect(refused.contains("config.yaml:2") && refused.contains("did you mean pusher-down-for-31s"), "\(refused)")
        _ = try await server.stop()
    }

    @Test func `a scenario that is played on a TLS port opens it, and a server without it refuses the scenario`() async throws {
        let server = try await ServerProcess.start(["--scenario", "certificate-expired"], in: try TemporaryFolder())
        #expect(server.ready["tlsDefects"]?["expired"]?.integer != nil)
        #expect(try await server.stop() == 0)
        let without = try await ServerProcess.start(in: try TemporaryFolder())
        let refused = try await sparring(["sandbox", "create", "--scenario", "certificate-expired"], at: without)
        #expect(refused.status != 0 && refused.errors.contains("start it with --tls-defects"), "\(refused)")
        _ = try await without.stop()
    }

    @Test func `bound off loopback the admin API needs the token that was printed`() async throws {
        let server = try await ServerProcess.start(["--bind", "0.0.0.0"], in: try TemporaryFolder())
        #expect(try await server.get("/__admin/scenarios").status == 401)
        let token = try #require(server.greeting.split(separator: "\n").first { $0.contains("admin token") }?.split(separator: " ").last)
        #expect(server.greeting.contains("export SPARRING_ADMIN_TOKEN=\(token)\n"))
        #expect(server.ready["adminToken"]?.string == String(token))
        #expect(try await server.send("GET", "/__admin/scenarios", headers: [("Authorization", "Bearer \(token)")]).status == 200)
        _ = try await server.stop()
    }

    @Test func `the token comes from the environment, and the ready file that has it is its owner's alone`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder, environment: ["SPARRING_ADMIN_TOKEN": "from-the-environment"])
        #expect(server.ready["adminToken"] == "from-the-environment" && !server.greeting.contains("from-the-environment"))
        let file = try FileManager.default.attributesOfItem(atPath: folder.file("ready.json"))
        #expect((file[.posixPermissions] as? Int) == 0o600)
        #expect(try await server.get("/__admin/scenarios").status == 401)
        let asked = try await sparring(
            ["clock", "show"], environment: ["SPARRING_ADMIN_TOKEN": "from-the-environment", "SPARRING_URL": server.url])
        #expect(asked.status == 0, "\(asked)")
        _ = try await server.stop()
    }

    @Test(
        arguments: [
            (["https://mock.test:9443", "http://mock.test:9080"], "https://mock.test:9443", "http://mock.test:9080"),
            (["https://mock.test"], "https://mock.test", nil), (["mock.test"], "https://mock.test:PORT", nil),
        ] as [([String], String, String?)])
    func `what is advertised is handed out, whatever the client used`(_ advertised: [String], _ tls: String, _ plain: String?) async throws
    {
        let server = try await ServerProcess.start(advertised.flatMap { ["--advertise", $0] }, in: try TemporaryFolder())
        let made = try await server.get("/__admin/sandboxes/default").json
        #expect(made?["tlsBaseURL"]?.string == tls.replacing("PORT", with: "\(server.tlsPort)"))
        if let plain { #expect(made?["baseURL"]?.string == plain) }
        _ = try await server.stop()
    }

    @Test(arguments: [
        (["a", "b"], "--advertise names two hosts: a and b"), (["https://a/path"], "is neither a host nor a URL"),
        (["a:9"], "does not say which port 9 is"),
    ])
    func `what cannot be advertised is refused`(_ advertised: [String], _ words: String) async throws {
        let end = try await sparring(
            ["serve", "--port", "0", "--tls-port", "0"] + advertised.flatMap { ["--advertise", $0] }, environment: [:])
        #expect(end.status == 64 && end.errors.contains(words), "\(end)")
    }

    @Test func `an installed binary runs from any folder with what was installed beside it`() async throws {
        let folder = try TemporaryFolder()
        try await Command("make", "-C", Repository.root.path, "copy", "BINARY=\(Repository.built)", "PREFIX=\(folder.file("installed"))")
            .output()
        let binary = folder.file("installed/bin/sparring")
        // It names the commit that it was built from.
        #expect(try await Command(binary, "--version").output().contains(/^0\.1\.0 \([0-9a-f]{12}\)\n$/))
        let server = try await ServerProcess.start(binary: binary, in: folder, from: "/")
        #expect(try await server.get("/__admin/health").status == 200)
        #expect(try await server.get("/__sparring/files/app.js").status == 200)
        _ = try await server.stop()

        // It is the installed contracts that it reads: without them it does not start.
        try FileManager.default.removeItem(atPath: folder.file("installed/share/sparring/contracts/identity.openapi.yaml"))
        let error = try await #require(throws: ServerProcess.Failed.self) {
            try await ServerProcess.start(binary: binary, in: folder, from: "/")
        }
        #expect(error.text.contains("identity.openapi.yaml"))
    }

    @Test func `an installation that this build has checked starts without checking it, and with a changed file checks that`() async throws
    {
        let folder = try TemporaryFolder()
        let (binary, share) = (folder.file("installed/bin/sparring"), folder.file("installed/share/sparring"))
        try await Command(
            "make", "-C", Repository.root.path, "copy", "stamp", "BINARY=\(Repository.built)", "PREFIX=\(folder.file("installed"))"
        )
        .output()
        let kept = share + "/empty.db"
        for file in [kept, share + "/contracts.bin"] { #expect(FileManager.default.fileExists(atPath: file)) }
        let server = try await ServerProcess.start(["--vendor", "liveperson"], binary: binary, in: folder, from: "/")
        let tenants = try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?.object)
        #expect(tenants.keys.sorted() == ["identity", "liveperson"])
        #expect(try await server.get("/__admin/scenarios/pusher-down-for-31s").status == 200)
        _ = try await server.stop()
        // An empty database that was cut off counts for nothing.
        try (FileManager.default.contents(atPath: kept) ?? Data()).dropLast(100).write(to: URL(fileURLWithPath: kept))
        let another = try await ServerProcess.start(binary: binary, in: folder, from: "/")
        #expect(try await another.get("/__admin/sandboxes/default").status == 200)
        _ = try await another.stop()

        let file = share + "/fixtures/scenarios/pusher-down-for-31s.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("scenario:", with: "scenaro:", maxReplacements: 1).write(toFile: file, atomically: true, encoding: .utf8)
        let error = try await #require(throws: ServerProcess.Failed.self) {
            try await ServerProcess.start(binary: binary, in: folder, from: "/")
        }
        #expect(error.text.contains("pusher-down-for-31s.yaml:") && error.text.contains("scenaro"), "\(error)")
    }

    private func account(of server: ServerProcess) async throws -> String {
        try #require(try await server.get("/__admin/sandboxes/default").json?["tenants"]?["liveperson"]?["accountId"]?.string)
    }

    @Test func `a ready file that cannot be written is refused before anything is served`() async throws {
        let end = try await sparring(["serve", "--port", "0", "--no-tls", "--ready-file", "/proc/none/ready.json"], environment: [:])
        #expect(
            end.status == 73 && end.errors.contains("/proc/none/ready.json: cannot be written: there is no folder '/proc/none'"), "\(end)")
        #expect(!end.output.contains("is ready"))
    }
}
