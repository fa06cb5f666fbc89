import Foundation
import Support
import Testing

/// `sparring init ci`: the jobs are read as YAML, and their scripts are run as far as no platform is needed.
@Suite(.fewAtATime) struct InitCommandTests {
    struct Form: CustomTestStringConvertible {
        let platform: String
        let package: [String]
        /// Texts of the job.
        let says: [String]
        var testDescription: String { "\(platform) \(package.joined(separator: " "))" }
    }

    static let source = ["--build", "--source", "https://git.example/it's.git", "--revision", "v1"]
    static let forms = [
        Form(platform: "github", package: ["--package", "ci/sparring.deb"], says: ["apt-get install -y -qq ./ci/sparring.deb"]),
        Form(
            platform: "github", package: ["--package", "https://files.example/sparring.tar.gz"],
            says: ["key: 'sparring-sparring.tar.gz'", "path: .sparring-package", "curl --fail"]),
        Form(
            platform: "github", package: ["--image", "registry.example/sparring:1"],
            says: ["docker create --name sparring registry.example/sparring:1", "needs: sparring-package"]),
        Form(platform: "github", package: source, says: ["key: 'sparring-v1'", "container: swift:", "make -C /tmp/sparring dist"]),
        Form(platform: "gitlab", package: ["--package", "ci/sparring.tar.gz"], says: ["tar -xzf ci/sparring.tar.gz"]),
        Form(
            platform: "gitlab", package: ["--image", "registry.example/sparring:1"],
            says: ["name: 'registry.example/sparring:1'", "cp -R /usr/bin/sparring"]),
        Form(platform: "gitlab", package: source, says: ["key: 'sparring-v1'", "make -C /tmp/sparring dist", "needs: [sparring-package]"]),
    ]

    /// Prints the scripts of a job, those of `sparring` last.
    private static let reader = """
        import sys, yaml
        text = yaml.safe_load(open(sys.argv[1]))
        jobs = text.get("jobs", text)
        for name in sorted(jobs, reverse=True) if len(sys.argv) > 2 else ["sparring"]:
            for part in jobs[name].get("steps", jobs[name].get("script", [])):
                script = part if isinstance(part, str) else part.get("run")
                if script: print(script)

        """

    private static func scripts(of job: String, in folder: TemporaryFolder, all: Bool = false) async throws -> String {
        let file = try folder.write(job, to: "job.yaml")
        return try await Command.python([try folder.write(reader, to: "read.py"), file] + (all ? ["all"] : [])).output()
    }

    @Test(.enabled("Python has no yaml") { await Command.pythonHas("yaml") }, arguments: forms)
    func `a CI job is YAML, runs the tests as they were given, and every script of it is one for bash`(_ form: Form) async throws {
        let command = ["printf", "%s.", "it's", "a \"test\"", ": #"]
        let words = ["init", "ci", form.platform] + form.package + ["--scenario", "pusher-*", "--print", "--"]
        let job = try await sparring(words + command, environment: [:])
        #expect(job.status == 0, "\(job)")
        for text in form.says { #expect(job.output.contains(text), "\(text): \(job.output)") }
        let folder = try TemporaryFolder()
        let script = try await Self.scripts(of: job.output, in: folder, all: true)
        _ = try await Command("bash", "-n", try folder.write(script, to: "script.sh")).output()
        let last = try #require(script.split(separator: "\n").last)
        // The shell takes the line apart as it would for `sparring`.
        let shown = try await Command("bash", "-c", "sparring() { printf '<%s>' \"$@\"; }; " + last).output()
        #expect(shown.hasPrefix("<run><--timeout><20m><--scenario><pusher-*><--jobs><2><--html>"), "\(shown)")
        #expect(shown.hasSuffix("<--sarif><report/sparring.sarif><--><printf><%s.><it's><a \"test\"><: #>"), "\(shown)")
    }

    @Test(arguments: [
        (["npm", "test"], "actions/setup-node@v4", "image: node:22-bookworm"),
        (["pytest", "-q"], "actions/setup-python@v5", "image: python:3.12-bookworm"),
        (["./gradlew", "check"], "actions/setup-java@v4", "image: eclipse-temurin:21-jdk"),
        (["swift", "test"], "container: swift:6.2-noble", "image: swift:6.2-noble"), (["./tests"], "", "image: debian:bookworm"),
    ])
    func `a job has the runtime that its command needs`(_ command: [String], _ github: String, _ gitlab: String) async throws {
        for (platform, text) in [("github", github), ("gitlab", gitlab)] {
            let job = try await sparring(["init", "ci", platform, "--package", "s.deb", "--print", "--"] + command, environment: [:])
            #expect(text.isEmpty ? !job.output.contains("actions/setup-") : job.output.contains(text), "\(job.output)")
        }
        let chosen = try await sparring(
            ["init", "ci", "gitlab", "--package", "s.deb", "--runtime", "jvm", "--print", "--"] + command, environment: [:])
        #expect(chosen.output.contains("image: eclipse-temurin:21-jdk"))
    }

    @Test(arguments: ["github", "gitlab"])
    func `a job judges as it was asked to`(_ platform: String) async throws {
        let options = [
            "--time-scale", "0.1", "--settle", "1m", "--contract", "all", "--known", "ci/known it.json", "--vendor", "cxone", "--vendor",
            "khoros",
            "--minimum",
            "operations=80%",
        ]
        let job = try await sparring(
            ["init", "ci", platform, "--package", "s.deb", "--print"] + options + ["--", "pytest"], environment: [:])
        #expect(job.status == 0, "\(job)")
        let line = try #require(job.output.split(separator: "\n").first { $0.contains("sparring run ") })
        let shown = try await Command("bash", "-c", "sparring() { printf '<%s>' \"$@\"; }; " + line).output()
        let words = (["run", "--timeout", "20m"] + options).map { "<\($0)>" }.joined()
        #expect(shown.hasPrefix(words + "<--html>"), "\(shown)")
    }

    @Test(
        arguments: [
            (["--contract", "al"], "--contract: 'al' is not one of verified, inferred"),
            (["--settle", "10"], "--settle: '10' has no unit"),
            (["--minimum", "operations=80"], "--minimum: 'operations=80' has no percentage"),
            (["--vendor", "cxon"], "--vendor: no vendor 'cxon'; there are"),
            (["--vendor", "cxone", "--scenario", "pusher-down-for-31s"], "which --vendor leaves out"),
        ])
    func `an option that run would refuse is refused before the job is written`(_ options: [String], _ words: String) async throws {
        let refused = try await sparring(
            ["init", "ci", "github", "--package", "s.deb", "--print"] + options + ["--", "pytest"], environment: [:])
        #expect(refused.status == 64 && refused.output.isEmpty && refused.errors.contains(words), "\(refused)")
    }

    @Test(.enabled("Python has no yaml") { await Command.pythonHas("yaml") })
    func `GitHub judges a commit once, and no longer than it is the newest`() async throws {
        let folder = try TemporaryFolder()
        let job = try await sparring(["init", "ci", "github", "--package", "s.deb", "--print", "--", "true"], environment: [:])
        // YAML 1.1 reads the key `on` as true.
        let reader = """
            import json, sys, yaml
            job = yaml.safe_load(open(sys.argv[1]))
            print(json.dumps([job[True], job["concurrency"]], sort_keys=True))

            """
        let shown = try await Command.python([try folder.write(reader, to: "read.py"), try folder.write(job.output, to: "job.yaml")])
            .output()
        let concurrency = #"{"cancel-in-progress": true, "group": "${{ github.workflow }}-${{ github.ref }}"}"#
        #expect(shown == #"[{"pull_request": null, "push": {"branches": ["main", "master"]}}, "# + concurrency + "]\n", "\(shown)")
    }

    /// The package is one that unpacks to the tested binary, and the system's packages are there already.
    @Test(.enabled("Python has no yaml") { await Command.pythonHas("yaml") }, arguments: ["github", "gitlab"])
    func `the job's scripts install a package and are green for README's client`(_ platform: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try ReadmeTests.client(isMended: true), to: "client.py")
        let job = try await sparring(
            [
                "init", "ci", platform, "--package", "sparring.tar.gz", "--scenario", "pusher-*", "--time-scale", "0.1", "--print", "--",
                "python3",
                "client.py",
            ],
            environment: [:])
        let script = try await Self.scripts(of: job.output, in: folder)
        _ = try folder.write("#!/bin/sh\nexit 0\n", to: "apt-get")
        _ = try folder.write("#!/bin/sh\nexec \(Repository.binary) \"$@\"\n", to: "sparring")
        let prepare = """
            cd \(folder.file("")) && mkdir -p stub pack/sparring-1/bin && mv apt-get stub/ && mv sparring pack/sparring-1/bin/ \
            && chmod +x stub/apt-get pack/sparring-1/bin/sparring && tar -czf sparring.tar.gz -C pack sparring-1
            """
        _ = try await Command("bash", "-c", prepare).output()
        _ = try folder.write("set -e\ncd \(folder.file(""))\nsudo() { \"$@\"; }\n" + script.replacing("$SUDO", with: ""), to: "job.sh")
        let ended = try await Command(
            "bash", "-c", "PATH=\(folder.file("stub")):$PATH bash \(folder.file("job.sh")) > \(folder.file("out")) 2>&1; echo $?"
        ).output()
        let output = try String(contentsOfFile: folder.file("out"), encoding: .utf8)
        #expect(ended == "0\n", "\(output)")
        for report in ["index.html", "sparring.xml", "sparring.sarif"] {
            #expect(FileManager.default.fileExists(atPath: folder.file("report/\(report)")), "\(report): \(output)")
        }
    }

    @Test(arguments: ["--print", ""])
    func `a file that the job needs and that is not there is named, whether the job is written or printed`(_ option: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "s.deb")
        let job = "init ci github --package s.deb --known ci/known.json \(option) -- true"
        let line = "cd \(folder.file("")) && \(Repository.binary) \(job) 2>&1 >/dev/null; echo $?"
        let missing = "sparring: ci/known.json is not there yet: commit it too\n"
        let there = "sparring: s.deb has to be committed too\n"
        #expect(try await Command("bash", "-c", line).output() == missing + (option.isEmpty ? there : "") + "0\n")
        // The job is there already: what it needs is still named.
        guard option.isEmpty else { return }
        let again = try await Command("bash", "-c", line).output()
        #expect(again.hasPrefix(missing) && again.contains("already exists") && again.hasSuffix("73\n"), "\(again)")
    }

    @Test func `a CI job is written where the platform looks for it, and never over another`() async throws {
        let folder = try TemporaryFolder()
        let line = "cd \(folder.file("")) && \(Repository.binary) init ci gitlab --package s.deb -- true"
        let written = try await Command("bash", "-c", line).output()
        #expect(written.hasPrefix("wrote sparring.gitlab-ci.yml; include it"), "\(written)")
        let again = try await Command("bash", "-c", line + " 2>&1; echo $?").output()
        #expect(again.contains("sparring.gitlab-ci.yml already exists") && again.hasSuffix("73\n"), "\(again)")
    }
}
