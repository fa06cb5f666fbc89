/// Workflows of GitHub Actions.
extension Workflow {
    var github: String {
        let head = """
            name: Sparring
            # A branch with a pull request is judged once, for the request.
            on:
              push:
                branches: [main, master]
              pull_request:
            # A newer commit ends the run of an older one.
            concurrency:
              group: ${{ github.workflow }}-${{ github.ref }}
              cancel-in-progress: true
            permissions:
              contents: read
              # Verdicts appear as code scanning alerts.
              security-events: write
            jobs:

            """
        let tests =
            ["sparring:"]
            + indented(
                ["runs-on: ubuntu-24.04", "timeout-minutes: \(Self.limits.job)"]
                    + (package.isMadeApart ? ["needs: sparring-package"] : []) + container(runtime.container) + ["steps:"]
                    + indented(["- uses: actions/checkout@v4"] + runtimeSteps + packageSteps + step("Run the tests", play))
                    + indented(Self.reports))
        return head + indented(packageJob + tests).map { $0 + "\n" }.joined()
    }

    /// The steps that publish the reports, whatever the verdict is.
    private static let reports = [
        "- uses: actions/upload-artifact@v4",
        "  if: ${{ !cancelled() }}",
        "  with: { name: sparring-report, path: report }",
        "# Needs code scanning, which a private repository may not have: the job does not fail for that.",
        "- uses: github/codeql-action/upload-sarif@v3",
        "  if: ${{ !cancelled() && hashFiles('report/sparring.sarif') != '' }}",
        "  continue-on-error: true",
        "  with: { sarif_file: report/sparring.sarif }",
    ]

    // MARK: The package

    /// The job that makes the archive, if one does.
    private var packageJob: [String] {
        let container: [String], make: [String]
        switch package {
        case .file: return []
        case .image(let name):
            container = []
            let image = ShellText.quoted(name)
            make =
                ["# A private registry: log in first, in a step with docker/login-action.", "docker create --name sparring \(image)"]
                + WorkflowPackage.extract { "docker cp sparring:\($0) \($1)" }
        case .source(let url, let revision):
            container = self.container(WorkflowPackage.builder)
            make = WorkflowPackage.build(url, revision)
        }
        let cache = cacheStep
        let upload = ["- uses: actions/upload-artifact@v4", "  with: { name: sparring, path: \(WorkflowPackage.archive) }"]
        return ["sparring-package:"]
            + indented(
                ["runs-on: ubuntu-24.04", "timeout-minutes: 60"] + container + ["steps:"]
                    + indented(cache + step("Make Sparring's package", make) + upload))
    }

    private var packageSteps: [String] {
        let fetch =
            package.isMadeApart
            ? ["- uses: actions/download-artifact@v4", "  with: { name: sparring }"] : cacheStep
        return fetch + step("Install Sparring", package.install)
    }

    private var cacheStep: [String] {
        guard let cache = package.cache else { return [] }
        return ["- uses: actions/cache@v4", "  with:", "    path: \(cache.path)", "    key: \(Self.scalar(cache.key))"]
    }

    // MARK: The runtime

    private var runtimeSteps: [String] {
        let set = runtime.action.map { ["- uses: \($0.name)", "  with:"] + $0.inputs.map { "    " + $0 } } ?? []
        return set + (runtime.dependencies.isEmpty ? [] : step("Install what the tests need", runtime.dependencies))
    }

    private func container(_ image: String?) -> [String] { image.map { ["container: \($0)"] } ?? [] }

    private func step(_ name: String, _ script: [String]) -> [String] {
        ["- name: \(name)", "  shell: bash", "  run: |"] + script.map { "    " + $0 }
    }
}
