import ArgumentParser
import SparringJSON

/// `sparring socket`
struct SocketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "socket",
        abstract: "List the open sockets, and close, cut or freeze one.",
        discussion: """
            The client sees what it would see if the vendor had done it, and is judged so.
              sparring socket list
              sparring socket close 3 --code 1011
              sparring socket abort 3
            """,
        subcommands: [List.self, Close.self, Abort.self, Freeze.self])

    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the open sockets.",
            discussion: """
                'lane' is the person at the other end, as far as that is known, and 'last traffic' when something last came in, by the sandbox's clock.
                  sparring socket list --sandbox checkout
                """)

        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try show(try await server.call(.listSockets, in: sandbox.name)) { json in
                let sockets = json["sockets"]?.array ?? []
                if sockets.isEmpty { return "no socket is open in \(sandbox.name)" }
                var table = Table("number", "vendor", "channel", "lane", "last traffic", "")
                for socket in sockets {
                    func cell(_ name: String) -> String { socket[name].map { Terminal.printable($0.string ?? $0.text) } ?? "" }
                    table.add(
                        cell("number"), cell("vendor"), cell("channel"), cell("lane"), cell("lastTraffic"),
                        socket["frozen"] == true ? "frozen" : "")
                }
                return table.text
            }
        }
    }

    struct Close: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close a socket with a close frame.",
            discussion: "  sparring socket close 3\n  sparring socket close 3 --code 1011 --reason 'try again'")

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int
        @Option(help: "The close code (RFC 6455 §7.4).") var code = 1000
        @Option(help: "The reason in the close frame, at most 123 bytes.") var reason: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func validate() throws {
            if !(1000...4999).contains(code) { throw ValidationError("--code is a number from 1000 to 4999.") }
        }

        func run(_ server: AdminClient) async throws {
            let form: JSON = .members([
                "how": "close", "code": .integer(Int64(code)), "reason": reason.map { .string($0) },
            ])
            try await server.call(.endSocket, in: sandbox.name, ["socket": number], body: form)
            try confirm("closed socket \(number) of \(sandbox.name) with \(code)")
        }
    }

    struct Abort: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "abort",
            abstract: "End a socket's connection without a close frame.", discussion: "  sparring socket abort 3")

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await server.call(.endSocket, in: sandbox.name, ["socket": number], body: ["how": "abort"])
            try confirm("cut socket \(number) of \(sandbox.name)")
        }
    }

    struct Freeze: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "freeze",
            abstract: "Read and send nothing more on a socket, and leave its connection up.", discussion: "  sparring socket freeze 3")

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            try await server.call(.endSocket, in: sandbox.name, ["socket": number], body: ["how": "freeze"])
            try confirm("froze socket \(number) of \(sandbox.name)")
        }
    }
}
