import SparringJSON
import SparringSandbox

/// Whole worlds, and what can happen in them: tools that are more than a call.
extension ToolCall {
    func listScenarios() async throws -> ToolAnswer {
        let words = (text("words") ?? "").lowercased().split(separator: " ")
        let found = (try await bench.client.call(.listScenarios).json["scenarios"]?.array ?? []).filter { scenario in
            let text = "\(scenario["scenario"]?.string ?? "") \(scenario["title"]?.string ?? "")".lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        if found.isEmpty {
            return ToolAnswer(text: "no scenario has these words; without words all are listed", content: ["scenarios": []])
        }
        let text = Table.text("scenario", "title", "expects", of: found) { scenario in
            scenario.cells("scenario", "title") + [scenario.texts("expects").joined(separator: ", ")]
        }
        return ToolAnswer(text: text, content: ["scenarios": .array(found)])
    }

    func createSandbox() async throws -> ToolAnswer {
        var form = body
        let (mode, rate) = (self["clock"], self["rate"])
        if mode != nil, rate != nil { throw CommandFailure(text: "clock and rate cannot be used together", status: 1) }
        if let mode = mode ?? (rate == nil ? nil : "rate") {
            form["clock"] = .members(["mode": mode, "rate": rate, "now": self["now"]])
        } else if self["now"] != nil {
            throw CommandFailure(text: "now needs clock or rate", status: 1)
        }
        let (sandbox, environment) = try await bench.make(form)
        return ToolAnswer(
            text: """
                \(SandboxText.whole(sandbox))

                Run the client with:
                \(EnvCommand.text(environment, .shell))
                """,
            content: .members([
                "sandbox": sandbox["id"], "seed": sandbox["seed"], "scenario": sandbox["scenario"], "clock": sandbox["clock"],
                "environment": .object(
                    JSON.Object(uniqueKeysWithValues: environment.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            ]))
    }

    func readSandbox() async throws -> ToolAnswer {
        let name = try await sandbox
        let sandbox = try await bench.client.call(.readSandbox, in: name).json
        let clock = try await bench.client.call(.readClock, in: name).json
        let faults = try await bench.client.call(.listFaults, in: name).json
        return ToolAnswer(
            text: [SandboxText.whole(sandbox), ClockText.whole(clock), FaultCommand.List.text(faults, in: name)].joined(separator: "\n\n"),
            content: .members(["sandbox": sandbox, "clock": clock, "faults": faults["faults"]]))
    }

    func deleteSandbox() async throws -> ToolAnswer {
        let name = try await sandbox
        try await bench.delete(name)
        return ToolAnswer(text: "deleted \(name)", content: ["deleted": .string(name)])
    }

    func act() async throws -> ToolAnswer {
        guard let operation = text("operation") else {
            let operations = try await bench.client.call(.listOperations).json
            return ToolAnswer(text: ActCommand.table(operations, vendor: nil), content: operations)
        }
        let parts = operation.split(separator: ".", maxSplits: 1).map(String.init)
        var form = body
        form["operation"] = .string(parts.last ?? operation)
        if parts.count > 1 { form["vendor"] = .string(parts[0]) }
        let done = try await bench.client.call(.act, in: try await sandbox, body: form).json
        let lines = done.texts("done")
        return ToolAnswer(text: lines.isEmpty ? done.prettyText : lines.joined(separator: "\n"), content: done)
    }

    // MARK: Faults

    func listEffects() async throws -> ToolAnswer {
        let effects = try await bench.client.call(.listEffects, ["where": text("place")]).json
        return ToolAnswer(text: FaultCommand.Effects.text(effects["effects"]?.array ?? []), content: effects)
    }

    func planFaults() async throws -> ToolAnswer {
        let (seed, lanes, calls) = (self["seed"]?.integer, texts("lanes"), self["calls"]?.integer(in: 1...1000) ?? 20)
        let plan =
            if self["faults"] != nil {
                try ChaosText.plan(of: texts("faults"), seed: seed, lanes: lanes, calls: calls)
            } else {
                try ChaosText.plan(
                    ofArmed: try await bench.client.call(.listFaults, in: try await sandbox).json, seed: seed, lanes: lanes, calls: calls)
            }
        return ToolAnswer(text: ChaosText.text(plan), content: plan.json)
    }

    func removeFaults() async throws -> ToolAnswer {
        let name = try await sandbox
        let number = self["number"]?.integer
        try await bench.client.call(number == nil ? .clearFaults : .removeFault, in: name, ["fault": number])
        let what = number.map { "fault \($0)" } ?? "all faults"
        return ToolAnswer(text: "removed \(what) from \(name)", content: ["sandbox": .string(name)])
    }
}
