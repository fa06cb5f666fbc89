import Foundation
import SparringJSON
import Support
import Testing

/// Scenarios on the command line.
@Suite(.fewAtATime) struct ScenarioCommandTests {
    private static let storm = """
        scenario: storm
        title: A storm
        about: It comes and goes.
        sandbox:
          seed: 77
          clock: { mode: frozen, now: "2027-01-15T08:00:00Z" }
          faults: ["liveperson.lookUpService status code=503"]
        timeline:
          - { at: 10s, do: removeFault, with: { fault: 1 } }
          - { at: 1h, do: armFault, with: { fault: "* delay by=1s" } }
        """

    private func run(_ words: String...) async throws -> Command.End { try await sparring(words, environment: [:]) }

    @Test func `list, show and check need no server`() async throws {
        let list = try await run("scenario", "list")
        #expect(list.status == 0 && list.output.hasPrefix("SCENARIO"), "\(list)")
        #expect(list.output.contains("\npusher-down-for-31s  "))
        let all = try JSON(parsing: try await run("scenario", "list", "--json").output).array ?? []
        #expect(all.count >= 25 && all.count == list.output.split(separator: "\n").count - 1)
        let shown = try await run("scenario", "show", "pusher-down-for-31s")
        #expect(
            shown.output == (try String(contentsOfFile: Repository.folder("fixtures/scenarios/pusher-down-for-31s.yaml"), encoding: .utf8)))
        let unknown = try await run("scenario", "show", "pusher-down-for-32s")
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean pusher-down-for-31s"), "\(unknown)")

        let folder = try TemporaryFolder()
        let sound = try folder.write(Self.storm, to: "storm-2.yaml")
        let bad = try folder.write(Self.storm.replacing("removeFault", with: "removeFalt"), to: "bad.yaml")
        let checked = try await run("scenario", "check", sound)
        #expect(checked.status == 0 && checked.output == "\(sound): valid: 1 fault, 2 steps over 60 min, 0 expectations\n", "\(checked)")
        let refused = try await run("scenario", "check", bad, sound, folder.file("none.yaml"))
        #expect(refused.status == 65 && refused.output.contains("storm-2.yaml: valid"), "\(refused)")
        #expect(refused.errors.contains("'removeFalt' is not an operation of a timeline"), "\(refused)")
        #expect(refused.errors.contains("none.yaml: cannot be read"))
        #expect(try await run("scenario", "show", sound, "--json").output.hasPrefix(#"{"scenario":"storm","#))
    }

    @Test func `all errors of a file are listed by their lines, and none that only follows from another`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            scenario: Mine
            titel: t
            about: a
            sandbox:
              seed: 9
              faults: ["liveperson.Login.* token-expird times=2", "nobody.* status code=503"]
              tenants: { liveperson: { accountId: 17 } }
            timeline:
              - { at: 30, do: clearFaults }
              - { at: 40s, do: armFalt, with: { fault: "*.* delay by=1s" } }
              - { at: 35s, do: removeFault, with: { fault: 9 } }
              - { at: 50s, do: removeFault, with: { fault: 1 } }
              - { at: 51s, do: armFault, with: { falt: "*.* delay by=1s" } }
              - { at: 52s, do: armFault, with: { fault: "liveperson.Login.* unavailabel" } }
            expect:
              - rule: backs-of
                because: it does

            """, to: "mine.yaml")
        let end = try await run("scenario", "check", file)
        #expect(end.status == 65 && end.output.isEmpty)
        let lines = end.errors.split(separator: "\n").map { $0.replacing(file + ":", with: "") }
        let wanted = [
            ("1:", "'Mine' is not a name"), ("1:", "title"), ("2:", "'titel'"), ("6:", "token-expird"), ("6:", "nobody"),
            ("7:", "accountId"),
            ("9:", "'30'"), ("10:", "'armFalt'"), ("11:", "'35s'"), ("13:", "'fault' is missing"), ("13:", "'falt'"),
            ("14:", "unavailabel"), ("16:", "'backs-of'"),
        ]
        for (line, words) in wanted {
            #expect(lines.contains { $0.hasPrefix(line) && $0.contains(words) }, "\(line) \(words): \(end.errors)")
        }
        #expect(lines.filter { $0.first?.isNumber == true }.count == wanted.count, "\(end.errors)")
    }

    @Test func `a scenario is stopped: the sandbox keeps its ids, and begins again without one`() async throws {
        let server = try await ServerProcess.start(["--scenario", "pusher-down-for-31s"], in: try TemporaryFolder())
        let before = try #require(try await server.get("/__admin/sandboxes/default").json)
        #expect(try await sparring(["fault", "list"], at: server).output.contains("liveperson"))
        let stopped = try await sparring(["scenario", "stop"], at: server)
        #expect(stopped.status == 0 && stopped.output == "default: plays no scenario, and has started over\n", "\(stopped)")
        let after = try #require(try await server.get("/__admin/sandboxes/default").json)
        #expect(before["scenario"] != nil && after["scenario"] == nil && after["tenants"] == before["tenants"])
        #expect(try await sparring(["fault", "list"], at: server).output.contains("no fault"))
        // What the command line gave to a sandbox comes back with its seed.
        let made = try await server.post(
            "/__admin/sandboxes", ["name": "own", "seed": 42, "faults": ["identity.token status code=503 times=2"]]
        ).json
        #expect(try await sparring(["scenario", "play", "pusher-down-for-31s", "--sandbox", "own"], at: server).status == 0)
        #expect(try await sparring(["scenario", "play", "duplicate-push", "--sandbox", "own"], at: server).status == 0)
        #expect(try await sparring(["scenario", "stop", "--sandbox", "own"], at: server).status == 0)
        let back = try await server.get("/__admin/sandboxes/own").json
        #expect(back?["seed"] == 42 && back?["tenants"] == made?["tenants"], "\(back ?? .null)")
        #expect(
            try await sparring(["fault", "list", "--sandbox", "own"], at: server).output.contains("identity.token status code=503 times=2"))
        let again = try await sparring(["scenario", "stop"], at: server)
        #expect(again.status == 1 && again.errors.contains("sandbox 'default' plays no scenario"), "\(again)")
        _ = try await server.stop()
    }

    @Test func `a server is begun with a scenario, killed in the middle of it, and goes on after the restart`() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["--database", folder.file("sparring.db"), "--scenario", try folder.write(Self.storm, to: "storm.yaml")]
        let first = try await ServerProcess.start(arguments, in: folder)
        #expect(first.greeting.contains("Sandbox default (scenario storm, seed 77)"), "\(first.greeting)")
        #expect(try await sparring(["clock", "advance", "10s"], at: first).output.contains("ran 1"))
        first.signal(SIGKILL)
        _ = try await first.end()

        let second = try await ServerProcess.start(arguments, in: folder)
        #expect(
            await second.errorLine() == "sparring: sandbox 'default' already exists, made from scenario 'storm', and continues: "
                + "scenario 'storm' was not started")
        let clock = try await sparring(["clock", "show"], at: second).output
        #expect(
            clock == "frozen at 2027-01-15T08:00:10.000Z\ndue 2027-01-15T09:00:00.000Z  "
                + "the scenario's timeline: armFault {\"fault\":\"* delay by=1s\"}\n")
        _ = try await sparring(["clock", "advance", "1h"], at: second)
        let steps = try await second.get("/__admin/sandboxes/default/journal?kind=due").json?["entries"]?.array ?? []
        #expect(steps.map { $0["operation"] } == ["admin.removeFault", "admin.armFault"])
        #expect(steps.map { $0["arrival"]?["process"] } == [1, 2])
        _ = try await second.stop()
    }

    @Test func `a sandbox is made of a scenario by name or from a file, and an error in the file is reported with its line`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(in: folder)
        let named = try await sparring(
            ["sandbox", "create", "--name", "one", "--scenario", "pusher-down-for-31s", "--seed", "5"], at: server)
        #expect(named.status == 0 && named.output.hasPrefix("sandbox   one\nseed      5\nscenario  pusher-down-for-31s\n"), "\(named)")
        let sound = try folder.write(Self.storm, to: "storm.yaml")
        let made = try await sparring(["sandbox", "create", "--name", "two", "--scenario", sound], at: server)
        #expect(made.status == 0 && made.output.contains("scenario  storm"), "\(made)")
        let bad = try folder.write(Self.storm.replacing("code=503", with: "cod=503"), to: "storm.yaml")
        let refused = try await sparring(["sandbox", "create", "--scenario", bad], at: server)
        #expect(refused.status == 65 && refused.errors.hasPrefix("sparring: \(bad):7:12: "), "\(refused)")
        let twice = try folder.write(
            Self.storm.replacing("code=503", with: "cod=503").replacing("do: removeFault", with: "do: removeFalt"), to: "storm.yaml")
        for words in [["sandbox", "create", "--scenario", twice], ["scenario", "play", twice]] {
            let both = try await sparring(words, at: server)
            let lines = both.errors.split(separator: "\n")
            #expect(both.status == 65 && lines.count == 2, "\(both)")
            #expect(lines.first?.hasPrefix("sparring: \(twice):7:12: ") == true && lines.last?.hasPrefix("\(twice):9:") == true, "\(both)")
        }
        let formless = try folder.write("scenario: Storm\ntitel: t\nabout: a\ntitle: t\n", to: "formless.txt")
        let all = try await sparring(["scenario", "play", formless], at: server)
        #expect(all.status == 65 && all.errors.contains("'Storm'") && all.errors.contains("'titel'"), "\(all)")
        #expect(all.errors.hasSuffix("  `sparring scenario check \(formless)` lists all errors\n"), "\(all)")
        let unknown = try await sparring(["sandbox", "create", "--scenario", "pusher-down"], at: server)
        #expect(unknown.status == 1 && unknown.errors.contains("there is no scenario 'pusher-down'"), "\(unknown)")
        _ = try await server.stop()
    }

    @Test(arguments: [
        (["--scenario", "nothing-of-the-kind"], 64, "there is no scenario 'nothing-of-the-kind'"),
        (["--scenario", "NOWHERE/x.yaml"], 66, "nowhere/x.yaml: cannot be read"),
        (["--scenarios", "NOWHERE"], 66, "cannot read this folder of scenarios"),
    ])
    func `a server does not start with a scenario that is not there`(
        arguments: [String], status: Int32, reason: String
    ) async throws {
        let error = try await #require(throws: ServerProcess.Failed.self) {
            let folder = try TemporaryFolder()
            return try await ServerProcess.start(arguments.map { $0.replacing("NOWHERE", with: folder.file("nowhere")) }, in: folder)
        }
        #expect(error.status == status && error.text.contains(reason), "\(error.text)")
    }
}
