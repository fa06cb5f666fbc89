import SparringJSON

extension MCPTool {
    /// Whole worlds, and what clients in them are configured with.
    static let sandboxes = [
        MCPTool(
            name: "create_sandbox", title: "Make a sandbox",
            about: """
                Makes an isolated world with its own accounts, clock, faults and journal, from a scenario or empty, and returns what a client must be \
                configured with: environment variables, as `sparring run` sets them. Run the client with these.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(name: "name", form: .text, about: "Its id: lower-case letters, digits and hyphens. Default: drawn."),
                ToolParameter(name: "scenario", form: .text, about: "The scenario that it is made of, see list_scenarios."),
                ToolParameter(
                    name: "seed", form: .integer(0...9_007_199_254_740_991),
                    about: "The seed of everything that is drawn. The same seed replays the same chaos."),
                ToolParameter(name: "faults", form: .texts, about: "Faults to arm at once, see arm_fault for their form."),
                ToolParameter(
                    name: "clock", form: .choice(["real", "frozen"]),
                    about: "How its clock starts. Default: as the scenario says, else real."),
                ToolParameter(
                    name: "rate", form: .rate,
                    about: "Sandbox seconds for each second, such as 20, so that long waits pass quickly; in place of clock."),
                ToolParameter(
                    name: "now", form: .text, about: "What its clock shows first, such as 2026-11-21T07:00:00Z; needs clock or rate."),
                ToolParameter(
                    name: "tenants", form: .object,
                    about: "Ids and keys that the client has already, by vendor, such as {\"liveperson\": {\"accountId\": \"12345678\"}}."),
                ToolParameter(
                    name: "policies", form: .object,
                    about: "Numbers that the vendor leaves to the app, such as {\"retries\": \"3\", \"retry-schedule\": \"2s,4s,8s\"}."),
            ]
        ) { arguments, bench in
            var form = arguments.form("name", "scenario", "seed", "faults", "tenants", "policies")
            let (mode, rate) = (arguments["clock"], arguments["rate"])
            if mode != nil, rate != nil { throw CommandFailure(text: "clock and rate exclude each other", status: 1) }
            if let mode = mode ?? (rate == nil ? nil : "rate") {
                form["clock"] = .members(["mode": mode, "rate": rate, "now": arguments["now"]])
            } else if arguments["now"] != nil {
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
        },
        MCPTool(
            name: "read_sandbox", title: "Show a sandbox",
            about: "Shows how a sandbox is configured, what its clock shows and what falls due next, and the faults that are armed in it.",
            effect: .reads, parameters: [.sandbox]
        ) { arguments, bench in
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let sandbox = try await bench.client.get(AdminPath.sandbox(name)).json
            let clock = try await bench.client.get(AdminPath.clock(name)).json
            let faults = try await bench.client.get(AdminPath.faults(name)).json
            return ToolAnswer(
                text: [SandboxText.whole(sandbox), ClockText.whole(clock), FaultCommand.List.text(faults, in: name)].joined(
                    separator: "\n\n"),
                content: .members(["sandbox": sandbox, "clock": clock, "faults": faults["faults"]]))
        },
        MCPTool(
            name: "delete_sandbox", title: "Delete a sandbox",
            about: "Deletes a sandbox with all that happened in it. Sandboxes that this session made are deleted when it ends.",
            effect: .removes,
            parameters: [ToolParameter(name: "sandbox", form: .text, about: "The sandbox's id.", isRequired: true)]
        ) { arguments, bench in
            let name = arguments.text("sandbox") ?? ""
            try await bench.delete(name)
            return ToolAnswer(text: "deleted \(name)", content: ["deleted": .string(name)])
        },
        MCPTool(
            name: "mint_credential", title: "Mint a token or code",
            about: """
                Mints a credential of the sandbox's identity provider, sound or with a defect, for clients that do not sign in at an identity provider \
                themselves.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(
                    name: "form", form: .choice(CredentialCommand.Form.allCases.map(\.rawValue)),
                    about: "A signed or encrypted ID token, an authorization code, or another form that the vendors take.", isRequired: true
                ),
                ToolParameter(name: "subject", form: .text, about: "The consumer that it is for.", isRequired: true),
                ToolParameter(
                    name: "defect", form: .text, about: "What is wrong with it, such as expired or bad-signature. Default: nothing."),
                ToolParameter(name: "claims", form: .object, about: "Further claims."),
                ToolParameter(name: "redirectURI", form: .text, about: "What a code is bound to."),
                .sandbox,
            ]
        ) { arguments, bench in
            let form = arguments.form("form", "subject", "defect", "claims", "redirectURI")
            let minted = try await bench.client.post(AdminPath.credentials(try await bench.sandbox(arguments.text("sandbox"))), form).json
            return ToolAnswer(text: minted["credential"]?.string ?? minted.text, content: minted)
        },
        MCPTool(
            name: "act", title: "Play a vendor's side",
            about: """
                Does what a person or system at the vendor does, such as an agent who joins and writes (operation say), or a consumer who is signed out. \
                Without an operation, lists them with examples.
                """,
            effect: .adds,
            parameters: [
                ToolParameter(name: "operation", form: .text, about: "Such as say, or liveperson.say where several vendors have it."),
                ToolParameter(name: "with", form: .object, about: "What it needs, such as {\"consumer\": \"alice\", \"text\": \"Hello\"}."),
                .sandbox,
            ]
        ) { arguments, bench in
            guard let operation = arguments.text("operation") else {
                let operations = try await bench.client.get(AdminPath.operations).json
                return ToolAnswer(text: ActCommand.table(operations, vendor: nil), content: operations)
            }
            let parts = operation.split(separator: ".", maxSplits: 1).map(String.init)
            let name = try await bench.sandbox(arguments.text("sandbox"))
            let done = try await bench.client.post(
                AdminPath.acts(name),
                .members([
                    "operation": .string(parts.last ?? operation), "with": arguments["with"] ?? [:],
                    "vendor": parts.count > 1 ? .string(parts[0]) : nil,
                ])
            ).json
            let lines = done["done"]?.array?.compactMap(\.string) ?? []
            return ToolAnswer(text: lines.isEmpty ? done.prettyText : lines.joined(separator: "\n"), content: done)
        },
    ]
}
