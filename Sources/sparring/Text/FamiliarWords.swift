import SparringJSON

/// The words that other programs use for the commands of this one, so that a guess leads to the right command.
enum FamiliarWords {
    /// Words for the same thing, of which each family of commands has at most a few.
    private static let groups: [Set<String>] = [
        ["add", "arm", "create", "insert", "make", "new", "register"],
        ["clear", "del", "delete", "destroy", "drop", "erase", "purge", "remove", "rm", "wipe"],
        ["families", "list", "ls"],
        ["cat", "describe", "display", "get", "info", "inspect", "print", "read", "show", "status", "view"],
        ["change", "configure", "edit", "modify", "patch", "set", "update"],
        ["begin", "play", "run", "start"],
        ["launch", "serve", "server", "start", "up"],
        ["abort", "cut", "reset"],
        ["cancel", "end", "halt", "stop"],
        ["advance", "forward", "set", "skip", "tick", "travel"],
        ["freeze", "pause"],
        ["resume", "start", "unfreeze", "unpause"],
        ["check", "lint", "validate", "verify"],
        ["events", "history", "journal", "log", "logs"],
        ["clone", "copy", "fork"],
        ["close", "disconnect", "kill"],
        ["message", "say", "send", "write"],
    ]

    /// Command lines for words that no command below theirs has, all without the program's name.
    private static let lines = [
        "export": "contract export", "fault clear": "fault remove --all", "fault reset": "fault remove --all", "har": archive,
        "journal --har": archive, "journal export": archive, "journal har": archive, "journal ls": "journal", "journal list": "journal",
        "pact": "contract export pact", "run --har": archive,
    ]
    private static let archive = "contract export har"

    /// ` (did you mean 'remove'?)` for `delete`; empty where no other word is familiar.
    ///
    /// - Parameters:
    ///   - word: that is no command.
    ///   - commands: that stand before it, without the program's name.
    ///   - known: the names of the commands that could stand there.
    static func hint(for word: String, after commands: [String], among known: [String]) -> String {
        if let line = lines[(commands + [word]).joined(separator: " ")] { return " (did you mean 'sparring \(line)'?)" }
        let same = groups.filter { $0.contains(word) }.reduce(into: Set<String>()) { $0.formUnion($1) }
        let meant = known.filter { same.contains($0) }
        return meant.isEmpty ? "" : " (did you mean \(Nearest.choice(of: meant.map { "'\($0)'" }))?)"
    }
}
