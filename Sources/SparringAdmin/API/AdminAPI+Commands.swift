import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox

/// Command lines of the CLI that are typed elsewhere than in a shell.
extension AdminAPI {
    /// The request that a command line stands for. Nothing is done.
    func readCommand(_ call: AdminCall, _ sandbox: Sandbox) throws -> Answer {
        var words = try words(call)
        if words.first == "sparring" { words.removeFirst() }
        try take("--sandbox", from: &words, only: sandbox.id)
        try take("--url", from: &words, only: call.url)
        let typed = try TypedCommand(words, among: contract.operations)
        return Answer(
            "command",
            .members([
                "command": .string(typed.line(in: sandbox.id, at: call.url)), "operation": .string(typed.operation.qualifiedName),
                "method": .string(typed.operation.method.rawValue), "target": .string(try typed.target(in: sandbox.id)),
                "body": try typed.body(),
            ]))
    }

    private func words(_ call: AdminCall) throws(AdminProblem) -> [String] {
        if let words = call.body["words"]?.array { return words.compactMap(\.string) }
        do throws(ShellWords.Unclosed) { return try ShellWords.split(call.body["line"]?.string ?? "") } catch {
            throw AdminProblem("command-invalid", "the quote \(error.quote) is not closed")
        }
    }

    /// Options that every command has may say no more than what is so.
    private func take(_ option: String, from words: inout [String], only value: String) throws(AdminProblem) {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        guard let place = words[..<end].firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return }
        let isJoined = words[place] != option
        let given = isJoined ? String(words[place].dropFirst(option.count + 1)) : place + 1 < end ? words[place + 1] : ""
        guard given == value else {
            throw AdminProblem(
                "command-invalid",
                "\(option) is \(given.quoted), and this request is one to \(value.quoted): send it there, or leave the option out")
        }
        words.removeSubrange(place..<place + (isJoined ? 1 : 2))
    }
}
