import SparringJSON

extension MCPTool {
    /// Incidents that come with Sparring.
    static let scenarios = [
        MCPTool(
            name: "list_scenarios", title: "List scenarios",
            about: """
                Lists the incidents that a client can be tested with, each with its title and the rules that a good client keeps in it. Give words to see \
                only those that have all of them, such as 'pusher' or 'token expired'.
                """,
            effect: .reads,
            parameters: [ToolParameter(name: "words", form: .text, about: "Words that the name or the title has.")]
        ) { arguments, bench in
            let words = (arguments.text("words") ?? "").lowercased().split(separator: " ")
            let found = (try await bench.client.get(AdminPath.scenarios).json["scenarios"]?.array ?? []).filter { scenario in
                let text = "\(scenario["scenario"]?.string ?? "") \(scenario["title"]?.string ?? "")".lowercased()
                return words.allSatisfy { text.contains($0) }
            }
            if found.isEmpty {
                return ToolAnswer(text: "no scenario has these words; without words all are listed", content: ["scenarios": []])
            }
            var table = Table("scenario", "title", "expects")
            for scenario in found {
                let rules = scenario["expects"]?.array?.compactMap(\.string) ?? []
                table.add(scenario["scenario"]?.string ?? "", scenario["title"]?.string ?? "", rules.joined(separator: ", "))
            }
            return ToolAnswer(text: table.text, content: ["scenarios": .array(found)])
        },
        MCPTool(
            name: "read_scenario", title: "Read a scenario",
            about:
                "Shows one scenario in full: what happens in production, its faults, what happens later in it, and why each rule is expected.",
            effect: .reads,
            parameters: [ToolParameter(name: "scenario", form: .text, about: "The scenario's name.", isRequired: true)]
        ) { arguments, bench in
            let scenario = try await bench.client.get(AdminPath.scenario(named: arguments.text("scenario") ?? "")).json
            return ToolAnswer(text: scenario.prettyText, content: scenario)
        },
    ]
}
