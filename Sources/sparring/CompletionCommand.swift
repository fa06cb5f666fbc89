import ArgumentParser

/// `sparring completion`
struct CompletionCommand: LocalCommand {
    static let abstract = "Print a completion script for a shell."
    static let discussion = """
        'make install' installs all three.
          dir=~/.local/share/bash-completion/completions
          sparring completion bash > $dir/sparring
          sparring completion zsh > ~/.zsh/completions/_sparring
          sparring completion fish > ~/.config/fish/completions/sparring.fish
        """

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func perform() async throws {
        let script = Sparring.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)
        // Shells read it into themselves: it is no program.
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        try Terminal.print((lines.first?.hasPrefix("#!") == true ? lines.dropFirst() : lines[...]).joined(separator: "\n"))
    }
}
