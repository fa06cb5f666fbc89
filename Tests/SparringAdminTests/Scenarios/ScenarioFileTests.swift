import BirdSupport
import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import Support
import Testing

/// The lines that a scenario's file may have, and the errors about those that it may not.
@Suite struct ScenarioFileTests {
    /// Line by line; tests replace some.
    static let lines = [
        "scenario: x", "title: A title", "about: What happens", "source: experience", "sandbox:", "  seed: 7",
        "  clock: { mode: frozen }", "  tenants: { parrot: { ticketLifetime: 5m } }", "  faults:",
        "    - \"parrot.Door.* bird-unwelcome times=2\"", "timeline:", "  - at: 1s", "    do: removeFault", "    with: { fault: 1 }",
        "  - at: 2s", "    do: armFault", "    with: { fault: \"* delay by=1s\" }", "expect:", "  - rule: speaks",
        "    because: it must",
    ]

    private func error(_ text: String, file: String = "some/x.yaml") async throws -> String? {
        try await Aviary.run(.pipeline) { server in
            do throws(ContractError) { try server.scenarios.check(try ScenarioFile(parsing: text, file: file)) } catch {
                return error.description
            }
            return nil
        }
    }

    @Test func `a sound file is sound`() async throws {
        #expect(try await error(Self.lines.joined(separator: "\n")) == nil)
        #expect(try await error("scenario: x\ntitle: T\nabout: A\n") == nil)
        let file = try ScenarioFile(parsing: Self.lines.joined(separator: "\n"), file: "x.yaml")
        #expect(file.scenario.extent == "1 fault, 2 steps over 2 s, 1 expectation")
        #expect(file.scenario.expectations.map(\.rule) == ["speaks"] && file.scenario.title == "A title")
    }

    @Test func `a file of a folder has its scenario's name; another may have any`() async throws {
        let folder = try TemporaryFolder()
        let text = Self.lines.joined(separator: "\n")
        let path = try folder.write(text, to: "y.yaml")
        #expect(try ScenarioFile(reading: path).scenario.name == "x")
        let refused = #expect(throws: ContractError.self) { try ScenarioFile.all(in: folder.path) }
        #expect(
            refused?.description.hasSuffix("y.yaml:1:11: in a folder of scenarios, 'x' belongs in the file 'x.yaml'") == true,
            "\(refused?.description ?? "")")
    }

    @Test func `a folder's files end with yaml or yml, and no two are of one name`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("scenario: b\ntitle: T\nabout: A\n", to: "b.yaml")
        _ = try folder.write("scenario: a\ntitle: T\nabout: A\n", to: "a.yml")
        _ = try folder.write("nothing", to: "a.txt")
        #expect(try ScenarioFile.all(in: folder.path).map(\.scenario.name) == ["a", "b"])
        try await Aviary.run(.pipeline, configure: { $0.scenarios = folder.path }) { server in
            #expect(server.scenarios.all.map(\.name) == ["a", "b"])
        }
        _ = try folder.write("scenario: c\ntitle: T\nabout: A\n", to: "b.yml")
        let twice = #expect(throws: ContractError.self) { try ScenarioFile.all(in: folder.path) }
        #expect(
            twice?.description == folder.file("b.yml") + ": is 'b' once more, beside 'b.yaml'; remove or rename one of them",
            "\(twice?.description ?? "")")
    }

    @Test(arguments: [
        ("storm", false), ("storm-2", false), ("storm.yaml", true), ("storm.txt", true), ("./storm", true), ("storm.json", true),
    ])
    func `a word with a slash or a dot is a file's path`(_ word: String, _ isPath: Bool) { #expect(ScenarioFile.isPath(word) == isPath) }

    @Test(
        arguments: [
            (1, "scenario: X", "'X' is not a name"),
            (1, "scenrio: x", "some/x.yaml:1:1: unknown member 'scenrio' (did you mean 'scenario'?)"),
            (2, "title: 5", "some/x.yaml:2:8: 'title' must be a non-empty string"),
            (3, "", "some/x.yaml:1:1: 'about' is missing; it must be a non-empty string"),
            (4, "source: [a]", "some/x.yaml:4:9: 'source' must be a non-empty string"),
            (6, "  seed: -1", "some/x.yaml:6:9: 'seed' must be a whole number"),
            (6, "  sede: 1", "unknown member 'sede' (did you mean 'seed'?)"),
            (6, "  name: default", "some/x.yaml:6:3: unknown member 'name'"),
            (7, "  clock: { mode: stopped }", "some/x.yaml:7:18: clock.mode: 'stopped'"),
            (7, "  clock: { mdoe: frozen }", "some/x.yaml:7:12: clock.mdoe: unknown member 'mdoe' (did you mean 'mode'?)"),
            (7, "  clock: { mode: 7 }", "'mode' must be a non-empty string"),
            (7, "  clock: { mode: frozen, now: 7 }", "'now' must be a non-empty string"),
            (8, "  tenants: { parot: {} }", "some/x.yaml:8:21: tenants.parot: no vendor 'parot'"),
            (8, "  tenants: { parrot: { ticketLifetime: soon } }", "some/x.yaml:8:40: tenants.parrot.ticketLifetime"),
            (
                10, "    - \"parrot.Dor.* bird-unwelcome\"",
                "some/x.yaml:10:7: there is no operation 'parrot.Dor.*'; nearest: parrot.Door.*"
            ),
            (10, "    - \"parrot.Door.* bird-unwelcom\"", "nearest: bird-unwelcome"),
            (12, "  - at: 30", "some/x.yaml:12:9: '30' is not a duration such as 200ms, 31s"),
            (12, "  -", "'at' is missing; it must be a duration such as 30s"),
            (12, "  - at: later", "some/x.yaml:12:9: 'later' is not a duration"),
            (12, "  - at: 3s", "some/x.yaml:15:9: '2s' is before the step above it, which is at 3s"),
            (12, "  - when: 3s", "some/x.yaml:12:5: unknown member 'when'"),
            (13, "    do: removeFalt", "some/x.yaml:13:9: 'removeFalt' is not an operation of a timeline (did you mean 'removeFault'?)"),
            (
                13, "    do: deleteSandbox",
                "'deleteSandbox' is not an operation of a timeline; there are changeTenant, rotateKeys, setClock, "
            ),
            (13, "    do: dance", "notifyDevice, renewDeviceToken, and those that `sparring act` lists"),
            (13, "    do: advanceClock", "'advanceClock' is not an operation of a timeline"),
            (13, "    do: readClock", "'readClock' is not an operation of a timeline"),
            (13, "", "some/x.yaml:12:5: 'do' is missing; it must be an operation such as armFault"),
            (14, "    with: [1]", "some/x.yaml:14:11: 'with' must be a mapping"), (14, "", "removeFault needs 'fault' in its 'with'"),
            (14, "    with: { fault: 2 }", "some/x.yaml:14:20: there is no such fault at that time"),
            (14, "    with: { fault: one }", "some/x.yaml:14:20: removeFault, path parameter fault"),
            (14, "    with: { fault: 1, falt: 2 }", "some/x.yaml:14:29: removeFault takes no 'falt' (did you mean 'fault'?)"),
            (17, "    with: { fault: \"* dely by=1s\" }", "some/x.yaml:17:20: 'dely' is neither an effect"),
            (17, "    with: { falt: \"* delay by=1s\" }", "some/x.yaml:17:11: armFault, body"),
            (17, "", "armFault needs 'fault' in its 'with', such as"),
            (17, "    with: { fault: \"\" }", "some/x.yaml:17:20: the fault is empty"),
            (18, "expct:", "some/x.yaml:18:1: unknown member 'expct' (did you mean 'expect'?)"),
            (19, "  - rule: Speaks!", "'Speaks!' is neither a name"),
            (20, "", "some/x.yaml:19:5: 'because' is missing"),
            (20, "    because: \" \"", "some/x.yaml:20:14: 'because' must be a non-empty string"),
            (2, "title: {", "not YAML"),
        ] as [(Int, String, String)])
    func `what may not stand there is reported with file, line and the nearest name`(_ line: Int, _ text: String, _ expected: String)
        async throws
    {
        var lines = Self.lines
        lines[line - 1] = text
        let told = try #require(try await error(lines.joined(separator: "\n")), "nothing is wrong")
        #expect(told.contains(expected) && told.hasPrefix("some/x.yaml:"), "\(told)")
    }

    @Test(
        arguments: [
            ("do: changeTenant\n    with: { vendor: parrot, ticketLifetime: 9m }", nil),
            (
                "do: changeTenant\n    with: { vendor: parrot, ticketLifetme: 9m }",
                ":7:29: unknown member 'ticketLifetme' (did you mean 'ticketLifetime'?)"
            ),
            ("do: changeTenant\n    with: { vendor: parot }", ":7:21: no vendor 'parot'"),
            ("do: changeTenant\n    with: { vendor: parrot, flock: other }", "a tenant's id cannot be changed"),
            ("do: rotateKeys\n    with: { vendor: parrot }", nil),
            ("do: rotateKeys\n    with: { vendor: parot }", ":7:21: no vendor 'parot'"),
            ("do: rotateKeys", "rotateKeys needs 'vendor' in its 'with'"),
            ("do: setClock\n    with: { mode: rate }", ":7:11: "), ("do: setClock\n    with: { mode: real }", nil),
            ("do: clearFaults", nil), ("do: parrot.squawk\n    with: { consumer: ada }", ":7:11: squawk, body.text: required"),
            ("do: parrot.squawk\n    with: { consumer: ada, text: '' }", ":7:34: parrot.squawk, a squawk is not silent"),
            ("do: magpie.squawk\n    with: { consumer: ada, text: hi }", nil),
            ("do: parrot.sqwak\n    with: { consumer: ada, text: hi }", "did you mean 'parrot.squawk'?"),
            ("do: squawk\n    with: { consumer: ada, text: hi }", "'squawk' is not an operation of a timeline"),
            ("do: parrot.describe\n    with: { bird: polly }", "'parrot.describe' is not an operation of a timeline"),
            ("do: eagle.squawk\n    with: { consumer: ada, text: hi }", "'eagle.squawk' is not an operation of a timeline"),
            ("do: notifyDevice\n    with: { device: phone-1, payload: { a: 1 } }", nil),
            ("do: renewDeviceToken\n    with: { device: phone-1, token: 7 }", ":7:37: renewDeviceToken, body.token"),
        ] as [(String, String?)])
    func `each step is held against the admin API's contract, and against what the sandbox is by then`(_ step: String, _ expected: String?)
        async throws
    {
        let told = try await error("scenario: x\ntitle: T\nabout: A\ntimeline:\n  - at: 1s\n    \(step)\n")
        if let expected { #expect(told?.contains(expected) == true, "\(told ?? "nothing")") } else { #expect(told == nil) }
    }

    @Test func `a folder with a scenario that cannot be played keeps the server from starting`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("scenario: a\ntitle: T\nabout: A\n", to: "a.yaml")
        _ = try folder.write("scenario: b\ntitle: T\nabout: A\nsandbox: { faults: [\"* nonsense\"] }\n", to: "b.yaml")
        let error = await #expect(throws: ContractError.self) {
            try await Aviary.run(.pipeline, configure: { $0.scenarios = folder.path }) { _ in }
        }
        #expect(error?.description.hasPrefix(folder.file("b.yaml") + ":4:21: ") == true, "\(String(describing: error))")
        #expect(error?.message.contains("lists all errors") == false, "\(String(describing: error))")
        _ = try folder.write("scenario: b\ntitle: T\nabout: A\nsandbox: { faults: [\"* nonsense\"] }\nneeds: [luck]\n", to: "b.yaml")
        let first = await #expect(throws: ContractError.self) {
            try await Aviary.run(.pipeline, configure: { $0.scenarios = folder.path }) { _ in }
        }
        let pointer = "; `sparring scenario check \(folder.file("b.yaml"))` lists all errors"
        #expect(first?.description.hasSuffix(pointer) == true, "\(String(describing: first))")
        let missing = await #expect(throws: ContractError.self) {
            try await Aviary.run(.pipeline, configure: { $0.scenarios = folder.file("nowhere") }) { _ in }
        }
        #expect(missing?.description.contains("cannot read this folder of scenarios") == true)
    }

    @Test func `the scenario of the page Adding a vendor is one`() async throws {
        try await Aviary.run(.pipeline, configure: { $0.scenarios = ParrotFiles.scenarios }) { server in
            let made = try await server.send(.post, "/__admin/sandboxes", json: ["name": "played", "scenario": "perch-taken-once"])
            #expect(made.status == 201 && made.json?["seed"] == 7, "\(made.text)")
            let faults = try await server.admin(.get, "faults", sandbox: "played")["faults"]?.array ?? []
            #expect(faults.map { $0["text"] } == ["parrot.perch perch-taken times=1 per=lane"])
        }
    }
}
