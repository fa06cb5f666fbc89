import ArgumentParser
import SparringJSON

extension JournalCommand {
    struct Resend: ServerCommand {
        static let configuration = CommandConfiguration(
            commandName: "resend",
            abstract: "Send a request of the journal once more.",
            discussion: """
                It changes the sandbox as any call does, but is never judged. Its lane is 'page' unless you give another.
                  sparring journal resend 42
                  sparring journal resend 42 --header 'Authorization: Bearer expired'
                  sparring journal resend 42 --body '{"code":"other"}'
                """)

        @Argument(help: "The entry's number.") var number: Int
        // Not --lane, which is an option of `journal` itself.
        @Option(name: .customLong("as"), help: ArgumentHelp("The lane.", valueName: "lane")) var caller: String?
        @Option(help: "Another method.") var method: String?
        @Option(help: "Another path, with its query.") var target: String?
        @Option(
            name: .customLong("header"),
            help: ArgumentHelp("A header in place of the recorded one; may be given several times.", valueName: "name: value"),
            transform: Self.header)
        var headers: [(name: String, value: String)] = []
        @Option(help: "Another body, as text.") var body: String?
        @OptionGroup(title: "Connection") var connection: ConnectionOptions
        @OptionGroup var sandbox: SandboxOptions

        func run(_ server: AdminClient) async throws {
            var fields: JSON = [:]
            for header in headers { fields[header.name] = .string(header.value) }
            let form = JSON.members([
                "lane": caller.map { .string($0) }, "method": method.map { .string($0) }, "target": target.map { .string($0) },
                "headers": headers.isEmpty ? nil : fields, "body": body.map { .string($0) },
            ])
            try show(try await server.call(.resendEntry, in: sandbox.name, ["number": number], body: form)) { sent in
                let status = sent["status"].map { " \($0.text)" } ?? ""
                let entry = sent["number"].map { "entry \($0.text)" } ?? "it matched nothing: `sparring journal --unplaced` shows it"
                return "\(sent["delivery"]?.string ?? "sent")\(status): \(entry)"
            }
        }

        /// `Name: value`
        private static func header(_ text: String) throws -> (name: String, value: String) {
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
                throw ValidationError("'\(text)' is no header such as 'Accept: text/plain'")
            }
            return (String(text[..<colon]), text[text.index(after: colon)...].trimmingSpaces)
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
