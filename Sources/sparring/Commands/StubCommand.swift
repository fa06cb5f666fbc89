import ArgumentParser
import SparringContract
import SparringJSON

/// `sparring stub`
struct StubCommand: WordedCommand {
    static let abstract = "Answer calls with an example, such as calls that no contract has."
    static let discussion = """
        A stub is an operation without code: an example answers it, and it is journalled, disturbed, judged and covered like any other.
          sparring stub add 'GET /v2/settings/{platform}' body='{"on": true}'
        """
    static var subcommands: [any ParsableCommand.Type] { [Add.command, List.command, Answer.command, Remove.command] }

    struct Add: SandboxVerb {
        static let abstract = "Make the sandbox answer a call with an example."
        static let discussion = """
            CALL         method and path, with parameters in braces
            status=      of the answer; default, 200
            header:NAME= a header of the answer
            body=        JSON or text; default, none
            body-file=   a file with the body
            type=        its media type; default, JSON, or plain text for a text
            name=        of the operation; default, made of the call

            Values of the call and of the sandbox stand in braces: {$request.path.id}, {$request.body#/id}, {$sandbox.uuid}, {$sandbox.now+1h}.
            A stub for the same call is replaced. --as overlay changes nothing: it prints an overlay, with which every sandbox of a server has the stub.
              sparring stub add 'POST /x' status=201 header:location=/y body-file=a.json
              sparring stub add 'GET /v2/settings' --as overlay > our.overlay.yaml
            """

        @Argument(help: "The call: 'METHOD /path'.") var call: String
        @Argument(help: ArgumentHelp("What it gets.", valueName: "name=JSON")) var members: [String] = []
        @OptionGroup var vendor: VendorOption
        @Option(name: .customLong("as"), help: ArgumentHelp("Print this, and change nothing.", valueName: "overlay")) var form: StubForms?
        @OptionGroup var source: ContractCommand.Source

        func run(_ sandbox: RemoteSandbox) async throws {
            let body = try request()
            if form != nil { return try Terminal.print(try overlay(body)) }
            try await sandbox.show(.addStub, body: body) { stub in
                "\(sandbox.name) answers \(stub.plain("call")) with \(stub.plain("status")): \(stub.plain("operation"))"
            }
        }

        /// The body of the call of the admin API.
        private func request() throws -> JSON {
            var (call, members) = (call, members)
            // Without quotation marks.
            if let path = members.first, path.hasPrefix("/") { call += " " + members.removeFirst() }
            var body: JSON = .members(["call": .string(call), "vendor": vendor.name.map(JSON.string)])
            for word in members {
                let (name, value) = try Self.member(word)
                guard body[name == "body-file" ? "body" : name] == nil else {
                    throw CommandFailure(text: "\(name)= is given twice", status: 64)
                }
                if name == "body-file" {
                    let text = try ArgumentFile.text(of: value.string ?? value.text, mark: "body-file=")
                    body["body"] = (try? JSON(parsing: text)) ?? .string(text)
                } else {
                    body[name] = value
                }
            }
            return body
        }

        private static func member(_ word: String) throws -> (name: String, value: JSON) {
            do { return try JSONArgument.namedValue(word) } catch let error as ValidationError {
                let name = word.prefix { $0 != "=" }
                let isNamed = !name.isEmpty && name.count < word.count
                throw ValidationError(isNamed ? "\(name): \(error.message)" : "\(word.quoted) is not name=JSON, such as status=201")
            }
        }

        private func overlay(_ body: JSON) throws -> String {
            do {
                let form = try StubForm(body)
                let contracts = try source.folder().contracts.filter { $0.vendor != "admin" }
                guard let contract = try form.contract(among: contracts) ?? contracts.first(where: { $0.vendor == "identity" }) else {
                    throw CommandFailure(text: "no contract has a similar path: choose one with --vendor", status: 64)
                }
                return try form.overlay(of: contract)
            } catch let error as ConfigurationError { throw CommandFailure(text: error.description, status: 64) }
        }
    }

    struct List: SandboxVerb {
        static let abstract = "List the sandbox's stubs, and those of the contracts."
        static let discussion = "  sparring stub list\n  sparring stub list --as overlay > our.overlay.yaml"

        @OptionGroup var vendor: VendorOption
        @Option(name: .customLong("as"), help: ArgumentHelp("Print this, of the sandbox's own stubs.", valueName: "overlay")) var form:
            StubForms?
        @OptionGroup var source: ContractCommand.Source

        func run(_ sandbox: RemoteSandbox) async throws {
            if form != nil { return try Terminal.print(try await overlay(of: sandbox)) }
            try await sandbox.show(.listStubs) { Self.text($0, in: sandbox.name) }
        }

        private func overlay(of sandbox: RemoteSandbox) async throws -> String {
            let stubs = try await sandbox.call(.listStubs).json["stubs"]?.array ?? []
            let own = stubs.filter { $0["from"] == "sandbox" }.compactMap {
                $0["operation"]?.string?.split(separator: ".").first.map(String.init)
            }
            let vendors = Set(own).sorted()
            guard let name = vendor.name ?? vendors.first, vendor.name != nil || vendors.count == 1 else {
                let hint =
                    vendors.isEmpty ? "it has no stubs of its own" : "choose a vendor with --vendor: \(vendors.joined(separator: ", "))"
                throw CommandFailure(text: "\(sandbox.name): \(hint)", status: 64)
            }
            guard let contract = try source.folder().contracts.first(where: { $0.vendor == name }) else {
                throw CommandFailure(text: "there is no contract for '\(Terminal.printable(name))'", status: 64)
            }
            let configured = try await sandbox.call(.readTenant, ["vendor": name]).json["stubs"]?.object ?? [:]
            do { return try StubOverlay(configured, of: contract).text } catch { throw CommandFailure(text: error.description, status: 64) }
        }

        static func text(_ json: JSON, in sandbox: String) -> String {
            Table.text(
                "operation", "call", "answer", "status", "from", of: json["stubs"]?.array, none: "\(sandbox) has no stubs"
            ) { stub in
                let call = stub["call"]?.string ?? stub["channel"]?.string.map { "message on \($0)" } ?? ""
                let others = stub.texts("answers").filter { $0 != stub["answer"]?.string }
                let answer = stub.plain("answer", or: "-") + (others.isEmpty ? "" : " (or \(others.joined(separator: ", ")))")
                return [stub.plain("operation"), call, answer, stub.plain("status", or: "-"), stub.plain("from")]
            }
        }
    }

    struct Answer: SandboxVerb {
        static let abstract = "Choose the answer that a stub of a contract gives in the sandbox."
        static let discussion = """
            For stubs that an overlay has added to a contract; 'stub list' shows them, with their answers.
              sparring serve --overlay our.overlay.yaml
              sparring stub answer khoros.readSDKSettings app-unknown
            """

        @Argument(help: "The stub, as 'stub list' shows it.") var stub: String
        @Argument(help: "One of its answers, by name.") var answer: String

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.answerStub, ["stub": stub], body: ["answer": .string(answer)]) {
                "\($0.plain("operation")) answers \($0.plain("answer"))"
            }
        }
    }

    struct Remove: SandboxVerb {
        static let abstract = "Remove a stub; one of a contract gives the contract's answer again."
        static let discussion = "  sparring stub remove khoros.getV2Settings"

        @Argument(help: "The stub, as 'stub list' shows it.") var stub: String

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.call(.removeStub, ["stub": stub], saying: "removed \(stub) from \(sandbox.name)")
        }
    }
}

/// The forms in which a stub is printed.
enum StubForms: String, ExpressibleByArgument, CaseIterable { case overlay }
