import ArgumentParser

/// A CI job that runs a client's tests against Sparring.
struct Workflow {
    enum Platform: String, ExpressibleByArgument, CaseIterable {
        case github, gitlab

        /// The file in which the platform looks for it, from the project's folder.
        var file: String {
            switch self {
            case .github: ".github/workflows/sparring.yml"
            case .gitlab: "sparring.gitlab-ci.yml"
            }
        }
    }

    let platform: Platform
    let scenarios: [String]
    let source: String
    let revision: String
    let command: [String]

    /// One of the images in which the build is known to work.
    private static let image = "swift:6.2-bookworm"

    var text: String {
        switch platform {
        case .github: github
        case .gitlab: gitlab
        }
    }

    private var run: String {
        let options = scenarios.flatMap { ["--scenario", $0] } + (scenarios.isEmpty ? [] : ["--jobs", "2"])
        let words = ["sparring", "run"] + options + ["--html", "report/index.html", "--junit", "report/sparring.xml", "--"] + command
        return words.map(ShellText.quoted).joined(separator: " ")
    }

    /// In single quotes of YAML, in which nothing but these has a meaning (YAML 1.2.2 §7.3.2).
    private static func scalar(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    private var build: [String] {
        [
            "git clone --quiet \(ShellText.quoted(source)) /tmp/sparring",
            "git -C /tmp/sparring checkout --quiet \(ShellText.quoted(revision))",
            "make -C /tmp/sparring install PREFIX=\"$PWD/.sparring\"",
        ]
    }

    private var github: String {
        """
        name: Sparring
        on: [push, pull_request]
        jobs:
          sparring:
            runs-on: ubuntu-24.04
            container: \(Self.image)
            steps:
              - uses: actions/checkout@v4
              - uses: actions/cache@v4
                id: cache
                with:
                  path: .sparring
                  key: \(Self.scalar("sparring-" + revision))
              - name: Build Sparring
                if: steps.cache.outputs.cache-hit != 'true'
                shell: bash
                run: |
        \(build.map { "          " + $0 }.joined(separator: "\n"))
              # Install here what the tests need.
              - name: Run the tests
                shell: bash
                run: |
                  apt-get update -qq && apt-get install -y -qq libmicrohttpd12 libsqlite3-0 libcurl4
                  mkdir -p report
                  PATH="$PWD/.sparring/bin:$PATH" \(run)
              - uses: actions/upload-artifact@v4
                if: ${{ !cancelled() }}
                with:
                  name: sparring
                  path: report

        """
    }

    private var gitlab: String {
        """
        # Include it with this line of .gitlab-ci.yml:
        #   include: { local: \(platform.file) }
        sparring:
          image: \(Self.image)
          cache:
            key: \(Self.scalar("sparring-" + revision))
            paths: [.sparring]
          script:
            - |
              if [ ! -x .sparring/bin/sparring ]; then
        \(build.map { "        " + $0 }.joined(separator: "\n"))
              fi
            - apt-get update -qq && apt-get install -y -qq libmicrohttpd12 libsqlite3-0 libcurl4
            # Install here what the tests need.
            - mkdir -p report
            - \(Self.scalar("PATH=\"$PWD/.sparring/bin:$PATH\" " + run))
          artifacts:
            when: always
            paths: [report]
            reports:
              junit: report/sparring.xml

        """
    }
}
