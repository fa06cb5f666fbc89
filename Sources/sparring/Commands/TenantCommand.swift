import ArgumentParser
import SparringJSON
import SparringVendors

/// `sparring tenant`
struct TenantCommand: WordedCommand {
    static let abstract = "Show and change how a sandbox is configured at a vendor."
    static let discussion = "  sparring tenant show identity"
    static var subcommands: [any ParsableCommand.Type] { [Show.command, Change.command] }

    struct Show: SandboxVerb {
        static let abstract = "Show a vendor's tenant."
        static let discussion = "  sparring tenant show liveperson --sandbox checkout"

        @Argument(help: "The vendor, such as liveperson.") var vendor: String

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.readTenant, ["vendor": vendor]) { SandboxText.settings([vendor: $0]) }
        }
    }

    struct Change: SandboxVerb {
        static let abstract = "Change a vendor's tenant."
        static let discussion = """
            Takes a JSON Merge Patch (RFC 7396): the given members replace the old ones, null removes a member, all others stay.
              sparring tenant change identity --set '{"errorDialect":"liveperson"}'
            """

        @Argument(help: "The vendor, such as liveperson.") var vendor: String
        @Option(name: .customLong("set"), help: ArgumentHelp("The changes.", valueName: "{…}"), transform: JSONArgument.object)
        var patch: JSON

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.changeTenant, ["vendor": vendor], body: patch) { SandboxText.settings([vendor: $0]) }
            guard vendor == AllVendors.companion, Self.shared.contains(where: { patch[$0] != nil }) else { return }
            Terminal.complain(
                """
                sparring: the vendors keep the client that they took from the provider when the sandbox was created; to take the new one:
                  sparring tenant change liveperson --set '{"issuers":null}'
                """)
        }

        /// Settings of the identity provider that the vendors' settings repeat.
        private static let shared = ["clientId", "clientSecret", "clientAuthentication", "redirectURIs"]
    }
}

/// `sparring keys`
struct KeysCommand: WordedCommand {
    static let abstract = "Rotate a tenant's keys."
    static let discussion = "  sparring keys rotate identity"
    static var subcommands: [any ParsableCommand.Type] { [Rotate.command] }

    struct Rotate: SandboxVerb {
        static let abstract = "Sign with a new key from now on; the older ones stay published."
        static let discussion = "  sparring keys rotate identity"

        @Argument(help: "The vendor whose keys they are.") var vendor: String

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.rotateKeys, ["vendor": vendor]) { "\(vendor) signs with key \($0["kid"]?.string ?? "") now" }
        }
    }
}
