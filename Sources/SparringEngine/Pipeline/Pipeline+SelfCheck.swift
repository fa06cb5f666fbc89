import SparringContract
import SparringHTTP
import SparringJournal
import SparringSandbox

/// **self-check**: whether the answer is what its contract declares.
extension Pipeline {
    func selfCheck(_ call: Call, _ settled: RenderedAnswer) {
        guard settled.carried == nil, let name = settled.name, let response = settled.sent, !settled.isAltered,
            !sound.knows(call.operation, name, response)
        else { return }
        let json = settled.varied.map(\.json) ?? settled.json
        var violations = call.operation.checkAnswer(name: name, status: response.status, headers: response.headers, body: json)
        if let changes = settled.varied?.changes { violations.removeAll { changes.explains($0) } }
        guard !violations.isEmpty else { return sound.learn(call.operation, name, response) }
        var entry = call.sandbox.entry(.finding, cause: Cause("Sparring's own answer \(name) breaks the contract", code: Cause.failed))
        entry.operation = call.operation.qualifiedName
        entry.lane = call.lane
        entry.findings = violations.map { Finding($0) }
        call.sandbox.note(entry)
    }
}
