import ArgumentParser
import SparringSandbox

/// `sparring database`
struct DatabaseCommand: WordedCommand {
    static let abstract = "Copy a server's database."
    static var subcommands: [any ParsableCommand.Type] { [Copy.self] }

    struct Copy: LocalCommand {
        static let abstract = "Copy a database, which a server may be writing, as it is at this moment."
        static let discussion = """
            `cp` copies neither the log beside the file nor one moment: use this. `serve --database COPY` goes on from the copy.
              sparring database copy sparring.db backup-2026-11-21.db
            """

        @Argument(help: ArgumentHelp("The file that --database of 'serve' names.", valueName: "file"), completion: .file()) var source:
            String
        @Argument(help: ArgumentHelp("The copy, which must not be there yet.", valueName: "copy"), completion: .file()) var target: String

        static let refusal: Int32 = 66

        func perform() async throws {
            let copy = try DatabaseBackup(of: source, to: target)
            try Terminal.print("\(target): \(copy.size) bytes, \(copy.sandboxes) \(copy.sandboxes == 1 ? "sandbox" : "sandboxes")")
        }
    }
}
