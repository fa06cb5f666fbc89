import ArgumentParser

/// The runtime that a client's tests need in a CI job.
enum WorkflowRuntime: String, ExpressibleByArgument, CaseIterable {
    case node, python, jvm, swift, none

    private static let programs: [(runtime: WorkflowRuntime, names: [String])] = [
        (.node, ["node", "npm", "npx", "yarn", "pnpm", "jest", "vitest"]),
        (.python, ["python", "python3", "pytest", "tox", "nox", "pip", "uv", "poetry"]),
        (.jvm, ["java", "gradle", "gradlew", "mvn", "mvnw"]),
        (.swift, ["swift"]),
    ]

    /// Guesses it from the program that a command starts.
    init(startedBy command: [String]) {
        let program = (command.first ?? "").split(separator: "/").last.map(String.init) ?? ""
        self = Self.programs.first { $0.names.contains(program) }?.runtime ?? .none
    }

    /// The container image with this runtime.
    var image: String {
        switch self {
        case .node: "node:22-bookworm"
        case .python: "python:3.12-bookworm"
        case .jvm: "eclipse-temurin:21-jdk"
        case .swift: "swift:6.2-noble"
        case .none: "debian:bookworm"
        }
    }

    /// A container for the job on GitHub, whose runners have no such runtime.
    var container: String? { self == .swift ? image : nil }

    /// The action that sets it up on GitHub, with its inputs.
    var action: (name: String, inputs: [String])? {
        switch self {
        case .node: ("actions/setup-node@v4", ["node-version: lts/*"])
        case .python: ("actions/setup-python@v5", ["python-version: '3.12'"])
        case .jvm: ("actions/setup-java@v4", ["distribution: temurin", "java-version: '21'"])
        case .swift, .none: nil
        }
    }

    /// Installs what the project says that its tests need.
    var dependencies: [String] {
        switch self {
        case .node: ["if [ -f package-lock.json ]; then npm ci; elif [ -f package.json ]; then npm install; fi"]
        case .python:
            [
                "# Install here what the tests need besides, such as the project with an extra: '.[test]'.",
                "if [ -f requirements.txt ]; then python3 -m pip install --quiet -r requirements.txt;"
                    + " elif [ -f pyproject.toml ]; then python3 -m pip install --quiet -e .; fi",
            ]
        case .jvm: ["# The JVM has a trust store of its own: for TLS, see `sparring trust java`."]
        case .swift, .none: []
        }
    }
}
