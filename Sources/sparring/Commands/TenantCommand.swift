import ArgumentParser
import SparringJSON

/// `sparring tenant`
struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant",
        abstract: "Show and change how a sandbox is configured at a vendor.",
        discussion: "  sparring tenant show identity",
        subcommands: [Show.self, Change.self])

    struct Show: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a vendor's tenant.", discussion: "  sparring tenant show liveperson --sandbox checkout")

        @Argument(help: "The vendor, such as liveperson.") var vendor: String
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.readTenant, in: sandbox.name, ["vendor": vendor])) { SandboxText.settings([vendor: $0]) }
        }
    }

    struct Change: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Change a vendor's tenant.",
            discussion: """
                Takes a JSON Merge Patch (RFC 7396): the given members replace the old ones, null removes a member, all others stay.
                  sparring tenant change identity --set '{"errorDialect":"liveperson"}'
                """)

        @Argument(help: "The vendor, such as liveperson.") var vendor: String
        @Option(name: .customLong("set"), help: ArgumentHelp("The changes.", valueName: "{…}"), transform: JSONArgument.object)
        var patch: JSON
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.changeTenant, in: sandbox.name, ["vendor": vendor], body: patch)) {
                SandboxText.settings([vendor: $0])
            }
        }
    }
}

/// `sparring keys`
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Rotate a tenant's keys.", discussion: "  sparring keys rotate identity", subcommands: [Rotate.self])

    struct Rotate: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Sign with a new key from now on; the older ones stay published.", discussion: "  sparring keys rotate identity")

        @Argument(help: "The vendor whose keys they are.") var vendor: String
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let rotated = try await server.call(.rotateKeys, in: sandbox.name, ["vendor": vendor])
            try show(rotated) { "\(vendor) signs with key \($0["kid"]?.string ?? "") now" }
        }
    }
}
