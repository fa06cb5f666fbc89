import Support
import Testing

/// The completions that bash offers while a command is typed.
@Suite(.fewAtATime) struct CompletionTests {
    @Test(arguments: [
        ("run --scenario pusher-down-for-", ["pusher-down-for-31s", "pusher-down-for-good"]),
        ("scenario show two-thr", ["two-threads"]), ("run --rule liveperson.backs-off-1", ["liveperson.backs-off-1-2-4-8-16s"]),
        ("serve --vendor kh", ["khoros"]), ("contract show liveperson.authenticateV", ["liveperson.authenticateV2"]),
        ("journal --operation identity.tok", ["identity.token"]), ("run --contract in", ["inferred"]),
    ]) func `names are completed`(_ typed: String, _ offered: [String]) async throws {
        let script = """
            source <("$0" completion bash)
            shopt -s expand_aliases
            PATH="$(dirname "$0"):$PATH"
            COMP_LINE="sparring $1" COMP_POINT=$((${#1} + 9)) COMP_WORDS=(sparring $1) COMP_TYPE=9 COMP_KEY=9
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _sparring sparring "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let end = try await Command("/bin/bash", ["-c", script, Repository.binary, typed]).run()
        let words = end.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        #expect(Set(offered).isSubset(of: Set(words.map { $0.split(separator: " ")[0].description })), "\(end)")
    }
}
