import ArgumentParser
import SparringJSON

/// `sparring socket`
struct SocketCommand: WordedCommand {
    static let abstract = "List the open sockets, and close, abort or freeze one."
    static let discussion = """
        The client sees what it would see if the vendor had done it, and is judged so.
          sparring socket list
          sparring socket close 3 --code 1011
          sparring socket abort 3
        """
    static var subcommands: [any ParsableCommand.Type] { [List.command, Close.command, Abort.command, Freeze.command] }

    struct List: SandboxVerb {
        static let abstract = "List the open sockets."
        static let discussion = """
            'lane' is the person at the other end, as far as that is known, and 'last traffic' when something last came in, by the sandbox's clock.
              sparring socket list --sandbox checkout
            """

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.listSockets) { json in
                Table.text(
                    "number", "vendor", "channel", "lane", "last traffic", "", of: json["sockets"]?.array,
                    none: "no socket is open in \(sandbox.name)"
                ) { socket in
                    socket.cells("number", "vendor", "channel", "lane", "lastTraffic") + [socket["frozen"] == true ? "frozen" : ""]
                }
            }
        }
    }

    struct Close: SandboxVerb {
        static let abstract = "Close a socket with a close frame."
        static let discussion = "  sparring socket close 3\n  sparring socket close 3 --code 1011 --reason 'try again'"

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int
        @Option(help: "The close code (RFC 6455 §7.4).") var code = 1000
        @Option(help: "The reason in the close frame, at most 123 bytes.") var reason: String?

        func validate() throws {
            if !(1000...4999).contains(code) { throw ValidationError("--code must be from 1000 to 4999.") }
        }

        func run(_ sandbox: RemoteSandbox) async throws {
            let form = JSON.members(["how": "close", "code": .integer(Int64(code)), "reason": reason.map(JSON.string)])
            let done = "closed socket \(number) of \(sandbox.name) with \(code)"
            try await sandbox.call(.endSocket, ["socket": number], body: form, saying: done)
        }
    }

    struct Abort: SandboxVerb {
        static let abstract = "End a socket's connection without a close frame."
        static let discussion = "  sparring socket abort 3"

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int

        func run(_ sandbox: RemoteSandbox) async throws {
            let done = "cut socket \(number) of \(sandbox.name)"
            try await sandbox.call(.endSocket, ["socket": number], body: ["how": "abort"], saying: done)
        }
    }

    struct Freeze: SandboxVerb {
        static let abstract = "Read and send nothing more on a socket, and leave its connection up."
        static let discussion = "  sparring socket freeze 3"

        @Argument(help: "The socket's number, as 'socket list' shows it.") var number: Int

        func run(_ sandbox: RemoteSandbox) async throws {
            let done = "froze socket \(number) of \(sandbox.name)"
            try await sandbox.call(.endSocket, ["socket": number], body: ["how": "freeze"], saying: done)
        }
    }
}
