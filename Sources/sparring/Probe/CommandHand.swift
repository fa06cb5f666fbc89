import Foundation
import HTTPTypes
import SparringAdmin
import SparringJSON

/// `--acts`: a command that does at the vendor what agents do. It gets one JSON object on standard input, and prints what the admin API would answer.
struct CommandHand: ProbeHand {
    let command: ShellCommand

    func begin(_ script: ProbeScript, pass: Int) async throws {
        _ = try await command.output(
            given: JSON.members(["begin": .string(script.name), "pass": .integer(Int64(pass)), "tenants": .object(script.tenants)]).text
                + "\n")
    }

    func perform(_ request: ProbeStep.Request) async throws -> JSON {
        let body = request.body.isEmpty ? nil : try? JSON(parsing: request.body)
        let form = JSON.members(["method": .string(request.method.rawValue), "path": .string(request.target), "body": body])
        let output = try await command.output(given: form.text + "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        if output.isEmpty { return .null }
        do { return try JSON(parsing: output) } catch {
            throw CommandFailure(text: "'\(command.text)' did not print JSON for \(request.method) \(request.target): \(error)", status: 2)
        }
    }
}
