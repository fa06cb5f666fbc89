import ArgumentParser
import Foundation
import SparringJSON

extension JournalCommand {
    struct Show: SandboxVerb {
        static let abstract = "Print one entry with all its details, or in another form."
        static let discussion = """
              sparring journal show 42
              sparring journal show 42 --json        # all that Sparring keeps about it
              sparring journal show 42 --as curl     # sends it again; also python, swift
              sparring journal show 42 --as step     # for a scenario's timeline
              sparring journal show 42 --as tokens   # decoded, and who signed them
            """

        enum Form: String, CaseIterable, ExpressibleByArgument {
            case curl, python, swift, step, tokens

            /// Whether it is a program that sends the request again.
            var sends: Bool { [.curl, .python, .swift].contains(self) }
        }

        @Argument(help: "The entry's number.") var number: Int
        @Option(name: .customLong("as"), help: "Print it in this form.") var form: Form?

        func run(_ sandbox: RemoteSandbox) async throws {
            guard let form else {
                var printer = JournalPrinter(form: .verbose)
                return try await sandbox.show(.readJournalEntry, ["number": number]) { printer.text($0) }
            }
            let text = try await sandbox.call(.exportEntry, ["number": number, "as": form.rawValue]).text
            try Terminal.print(text)
            guard form.sends else { return }
            // On standard error, so that the output can be run.
            Terminal.complain(
                "sparring: sent like this, it counts as the client's own call; "
                    + "`sparring journal resend \(number)` sends it without being judged")
            guard text.contains("SPARRING_CA_FILE") else { return }
            Terminal.complain("sparring: it needs the file with Sparring's CA: eval \"$(sparring env)\" sets SPARRING_CA_FILE")
        }
    }

    struct Resend: SandboxVerb {
        static let abstract = "Resend a request from the journal."
        static let discussion = """
            It changes the sandbox like any call, but is never judged. Its lane is 'page' unless you give another.
              sparring journal resend 42
              sparring journal resend 42 --header 'Authorization: Bearer expired'
              sparring journal resend 42 --body '{"code":"other"}'
            """

        @Argument(help: "The entry's number.") var number: Int
        // Not --lane, which is an option of `journal` itself.
        @Option(name: .customLong("as"), help: ArgumentHelp("The lane.", valueName: "lane")) var caller: String?
        @Option(help: "Another method.") var method: String?
        @Option(help: "Another path, with its query.") var target: String?
        @Option(
            name: .customLong("header"),
            help: ArgumentHelp("A header in place of the recorded one; may be given several times.", valueName: "name: value"),
            transform: Self.header)
        var headers: [(name: String, value: JSON)] = []
        @Option(help: "Another body, as text.") var body: String?

        func run(_ sandbox: RemoteSandbox) async throws {
            let form = JSON.members([
                "lane": caller.map(JSON.string), "method": method.map(JSON.string), "target": target.map(JSON.string),
                "headers": JSONArgument.members(headers), "body": body.map(JSON.string),
            ])
            try await sandbox.show(.resendEntry, ["number": number], body: form) { sent in
                let status = sent["status"].map { " \($0.text)" } ?? ""
                let entry = sent["number"].map { "entry \($0.text)" } ?? "it matched nothing: `sparring journal --unplaced` shows it"
                return "\(sent["delivery"]?.string ?? "sent")\(status): \(entry)"
            }
        }

        /// `Name: value`
        private static func header(_ text: String) throws -> (name: String, value: JSON) {
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
                throw ValidationError("'\(text)' is not a header such as 'Accept: text/plain'")
            }
            let value = text[text.index(after: colon)...].trimmingCharacters(in: [" "])
            return (String(text[..<colon]), .string(value))
        }
    }

    struct World: SandboxVerb {
        static let abstract = "Print the sandbox as it was just after an entry was written."
        static let discussion = """
            Clock, faults, consumers, conversations and devices, as JSON. 'sparring sandbox fork' makes a sandbox from it.
              sparring journal world 42
            """

        @Argument(help: "The entry's number.") var number: Int

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.show(.readPast, ["number": number]) { $0.prettyText }
        }
    }

    struct Mark: SandboxVerb {
        static let abstract = "Report what is not visible on the network, as a client under test does."
        static let discussion = "  sparring journal mark badge --as ada --set value=0"

        @Argument(help: "The mark's name.") var mark: String
        @Option(name: .customLong("as"), help: ArgumentHelp("The lane of the client that reports it.", valueName: "lane"))
        var caller: String?
        @OptionGroup var further: MembersOption

        func run(_ sandbox: RemoteSandbox) async throws {
            var form = JSONArgument.members(further.members) ?? [:]
            form["mark"] = .string(mark)
            if let caller { form["lane"] = .string(caller) }
            try await sandbox.call(.mark, body: form, saying: "marked '\(mark)' in \(sandbox.name)")
        }
    }

    struct Clear: SandboxVerb {
        static let abstract = "Empty the journal; later entries continue the numbering."
        static let discussion = "  sparring journal clear --sandbox checkout"

        func run(_ sandbox: RemoteSandbox) async throws {
            try await sandbox.call(.clearJournal, saying: "emptied the journal of \(sandbox.name)")
        }
    }
}
