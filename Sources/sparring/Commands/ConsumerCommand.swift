import ArgumentParser
import SparringJSON

/// `sparring consumer`
struct ConsumerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consumer",
        abstract: "List the consumers who have signed in, and sign one out.",
        discussion: """
              sparring consumer list
              sparring consumer sign-out ada --reason revoked
            """,
        subcommands: [List.self, SignOut.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List everybody who ever signed in, with their open sockets.",
            discussion: "  sparring consumer list --sandbox checkout")

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.listConsumers, in: sandbox.name)) { json in
                let consumers = json["consumers"]?.array ?? []
                if consumers.isEmpty { return "nobody has signed in to \(sandbox.name)" }
                var table = Table("consumer", "vendor", "sockets", "sign-ins", "sign-outs", "last")
                for consumer in consumers {
                    func cell(_ name: String) -> String { consumer[name].map { $0.string ?? $0.text } ?? "" }
                    table.add(
                        cell("consumer") + (consumer["anonymous"] == true ? " (anonymous)" : ""), cell("vendor"), cell("sockets"),
                        cell("signIns"), cell("signOuts"), cell("lastSeen"))
                }
                return table.text
            }
        }
    }

    struct SignOut: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out",
            abstract: "Sign a consumer out from the vendor's side.",
            discussion: """
                Closes their open sockets, as at the end of a session. With 'revoked' and 'another-device', the tokens issued to them are \
                refused from then on, until they sign in again; with 'log-out', they are unregistered from pushes.
                  sparring consumer sign-out ada --reason another-device
                """)

        @Argument(help: "The consumer, as the brand calls them.") var consumer: String
        @Option(help: "Why: another-device, log-out or revoked.") var reason: String
        @OptionGroup var vendor: VendorOption
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            let with: JSON = ["consumer": .string(consumer), "reason": .string(reason)]
            try show(try await server.act("signOut", with, of: vendor, in: sandbox)) { json in
                (json["done"]?.array ?? []).compactMap(\.string).map(Terminal.printable).joined(separator: "\n")
            }
        }
    }
}
