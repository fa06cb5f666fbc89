import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// Operations of the tag "Clock".
extension AdminAPI {
    func setClock(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let setting = try SandboxClock.Setting(call.body, current: sandbox.clock.mode)
        try await sandbox.change(to: sandbox.clock.change(mode: setting.mode, now: setting.now), alongside: call.alongside)
        return Answer("clock", sandbox.clock.json)
    }

    func advanceClock(_ call: AdminCall, _ sandbox: Sandbox) async throws -> Answer {
        let text = call.body["by"]?.string ?? ""
        guard let by = Duration(text: text) else {
            throw ConfigurationError(["by"], "\(text.quoted) is not a duration such as PT10M, 10m, 2s or 200ms, of ten years at most")
        }
        let ran = try await sandbox.advance(by: by, keepsSockets: call.body["keepSockets"]?.bool ?? false)
        return Answer("advanced", ["now": .string(sandbox.clock.now.description), "ran": .integer(Int64(ran)), "settled": true])
    }
}
