import SparringContract
import SparringJSON
import SparringSandbox

extension MCPTool {
    /// Disturbances on purpose.
    static let faults = [
        MCPTool(
            name: "list_effects", title: "List what can be made to fail",
            about: """
                Lists the effects that faults can have, with their parameters and phases. With a place it lists those that can strike there, the \
                vendor's own refusals among them.
                """,
            effect: .reads,
            parameters: [
                ToolParameter(
                    name: "place", form: .text,
                    about: "vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *, such as liveperson.Login.*")
            ]
        ) { arguments, _ in
            let vocabulary = FaultVocabulary(try Resources.vendorContracts(nil))
            let effects: [FaultVocabulary.Effect]
            do throws(FaultRefused) { effects = try vocabulary.effects(at: arguments.text("place")) } catch {
                throw CommandFailure(text: error.description, status: 1)
            }
            return ToolAnswer(text: FaultCommand.Effects.text(effects), content: ["effects": .array(effects.map(\.json))])
        },
        MCPTool(
            name: "plan_chaos", title: "Preview random faults",
            about: """
                Shows which calls of each lane (who calls: a subject, consumer or device) faults left to chance will strike, before anything runs. The same \
                seed strikes the same calls. Without faults it previews those that are armed in the sandbox.
                """,
            effect: .reads,
            parameters: [
                ToolParameter(name: "lanes", form: .texts, about: "Who calls, such as [\"alice\", \"bob\"].", isRequired: true),
                ToolParameter(
                    name: "faults", form: .texts,
                    about: "Faults as they will be armed, such as '*.Pusher.* status code=503 probability=0.3'."),
                ToolParameter(
                    name: "seed", form: .integer(0...9_007_199_254_740_991), about: "The seed. Default: the sandbox's, or 1 with faults."),
                ToolParameter(name: "calls", form: .integer(1...1000), about: "Matching calls of each lane to show. Default: 20."),
                .sandbox,
            ]
        ) { arguments, bench in
            let plan: ChaosPlan
            let (lanes, calls) = (arguments.texts("lanes"), arguments["calls"]?.integer(in: 1...1000) ?? 20)
            if arguments["faults"] != nil {
                plan = try ChaosText.plan(of: arguments.texts("faults"), seed: arguments.integer("seed"), lanes: lanes, calls: calls)
            } else {
                let armed = try await bench.client.get(AdminPath.faults(try await bench.sandbox(arguments.text("sandbox")))).json
                plan = try ChaosText.plan(ofArmed: armed, seed: arguments.integer("seed"), lanes: lanes, calls: calls)
            }
            return ToolAnswer(text: ChaosText.text(plan), content: plan.json)
        },
        MCPTool(
            name: "arm_fault", title: "Arm a fault",
            about: """
                Arms a fault in a sandbox: WHERE EFFECT key=value …. WHERE is vendor.operationId, vendor.Tag.*, *.Tag.*, vendor.* or *. EFFECT is an \
                unhappy answer of the contract by its name (token-expired, code-reused …) or a word such as status, delay, STALL, close; list_effects \
                has them all. When: times=2, skip=1, every=3, probability=0.3, per=lane, ttl=31s. Examples: 'liveperson.Login.* token-expired times=2', \
                '*.Pusher.* status code=503 retry-after=30s'.
                """,
            effect: .adds,
            parameters: [ToolParameter(name: "fault", form: .text, about: "The fault.", isRequired: true), .sandbox]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let armed = try await bench.client.post(AdminPath.faults(name), arguments.form("fault")).json
            return ToolAnswer(text: FaultCommand.Add.text(armed, in: name), content: armed)
        },
        MCPTool(
            name: "remove_faults", title: "Remove faults",
            about: "Removes one fault by its number, or all of the sandbox's: the service recovers.",
            effect: .removes,
            parameters: [
                ToolParameter(name: "number", form: .integer(1...1_000_000), about: "The fault's number, see read_sandbox. Default: all."),
                .sandbox,
            ]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let number = arguments["number"]?.integer(in: 1...1_000_000)
            try await bench.client.delete(number.map { AdminPath.fault(name, $0) } ?? AdminPath.faults(name))
            return ToolAnswer(
                text: number.map { "removed fault \($0) from \(name)" } ?? "removed all faults from \(name)",
                content: ["sandbox": .string(name)])
        },
    ]
}
