import ArgumentParser
import SparringJSON

/// `sparring consumer`
struct ConsumerCommand: WordedCommand {
    static let abstract = "List the consumers who have signed in, and sign one out."
    static let discussion = """
          sparring consumer list
          sparring consumer sign-out ada --reason revoked
        """
    static var subcommands: [any ParsableCommand.Type] { [List.command, SignOut.command] }

    struct List: SandboxVerb {
        static let abstract = "List everybody who ever signed in, with their open sockets."
        static let discussion = "  sparring consumer list --sandbox checkout"

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.listConsumers) { json in
                Table.text(
                    "consumer", "vendor", "sockets", "sign-ins", "sign-outs", "last", of: json["consumers"]?.array,
                    none: "nobody has signed in to \(sandbox.name)"
                ) { consumer in
                    [consumer.plain("consumer") + (consumer["anonymous"] == true ? " (anonymous)" : "")]
                        + consumer.cells("vendor", "sockets", "signIns", "signOuts", "lastSeen")
                }
            }
        }
    }

    struct SignOut: SandboxVerb {
        static let name = "sign-out"
        static let abstract = "Sign a consumer out from the vendor's side."
        static let discussion = """
            Closes their open sockets, as at the end of a session. With 'revoked' and 'another-device', the tokens issued to them are \
            refused from then on, until they sign in again; with 'log-out', they are unregistered from pushes.
              sparring consumer sign-out ada --reason another-device
            """

        @Argument(help: "The consumer's id at the brand.") var consumer: String
        @Option(help: "Why: another-device, log-out or revoked.") var reason: String
        @OptionGroup var vendor: VendorOption

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.perform("signOut", ["consumer": .string(consumer), "reason": .string(reason)], of: vendor)
        }
    }
}
