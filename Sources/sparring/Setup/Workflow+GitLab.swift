/// Jobs of GitLab CI.
extension Workflow {
    var gitlab: String {
        let head = """
            # Include it with this line of .gitlab-ci.yml:
            #   include: { local: \(platform.file) }

            """
        let script = runtime.dependencies + package.install + play
        let tests =
            ["sparring:"]
            + indented(
                ["image: \(runtime.image)", "timeout: \(Self.limits.job) minutes"]
                    + (package.isMadeApart ? ["needs: [sparring-package]"] : cache) + ["script:"] + indented(block(script))
                    + [
                        "artifacts:", "  when: always", "  paths: [report]", "  reports:", "    junit: report/sparring.xml",
                    ])
        return head + (packageJob + tests).map { $0 + "\n" }.joined()
    }

    /// The job that makes the archive, if one does.
    private var packageJob: [String] {
        let image: [String], make: [String]
        switch package {
        case .file: return []
        case .image(let name):
            // The image runs a server unless it is given a shell.
            image = ["image:", "  name: \(Self.scalar(name))", "  entrypoint: ['']"]
            make = WorkflowPackage.extract { "cp -R \($0) \($1)" }
        case .source(let url, let revision):
            image = ["image: \(WorkflowPackage.builder)"]
            make = WorkflowPackage.build(url, revision)
        }
        return ["sparring-package:"]
            + indented(
                image + ["timeout: 60 minutes"] + cache + ["script:"] + indented(block(make))
                    + ["artifacts:", "  paths: [\(WorkflowPackage.archive)]", "  expire_in: 1 day"])
            + [""]
    }

    private var cache: [String] {
        package.cache.map { ["cache:", "  key: \(Self.scalar($0.key))", "  paths: [\($0.path)]"] } ?? []
    }

    /// A script as one text: its lines share a shell, and it stops at the first command that fails.
    private func block(_ script: [String]) -> [String] { ["- |"] + (["set -e"] + script).map { "  " + $0 } }
}
