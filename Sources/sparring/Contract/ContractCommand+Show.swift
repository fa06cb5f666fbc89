import ArgumentParser
import SparringContract
import SparringJSON

extension ContractCommand {
    struct Show: LocalCommand {
        static let abstract = "Show what the contract says of an operation."
        static let discussion = """
            Prints its parameters, the members that a body must have, an example of each body and answer, its source, and the lines of \
            the contract and the reference.
              sparring contract show liveperson.registerPush
            """

        @Argument(help: "vendor.operation, or the operation alone.", completion: KnownNames.operations) var operation: String
        @OptionGroup var probed: ProbedOptions
        @OptionGroup var source: Source

        func perform() async throws {
            let points = ContractPoint.all(of: try source.folder().contracts, try probed.read())
            let found = points.filter { $0.name == operation || $0.id == operation }
            guard let point = found.first, found.count == 1 else {
                let nearest = found.isEmpty ? Nearest.words(to: operation, in: points.map(\.name)) : found.map(\.name)
                let hint = nearest.isEmpty ? "`sparring contract list` lists them" : "did you mean \(Nearest.choice(of: nearest))?"
                throw CommandFailure(text: "there is no single operation '\(Terminal.printable(operation))'\n  \(hint)", status: 64)
            }
            try Terminal.print(point.lines(in: try source.path).map(Terminal.printable).joined(separator: "\n"))
        }
    }
}

extension ContractPoint {
    /// - Parameter folder: the contracts'.
    fileprivate func lines(in folder: String) -> [String] {
        let lines = operation.map { Self.lines($0, folder) } ?? message.map { Self.lines($0, folder) } ?? []
        guard let live else { return lines }
        // After what it is and where it is.
        let seen = ["\(live.words) (\(live.hosts.joined(separator: ", ")))"] + live.differences.map { "  \($0)" }
        return Array(lines.prefix(2)) + seen + Array(lines.dropFirst(2))
    }

    private static func lines(_ operation: ContractOperation, _ folder: String) -> [String] {
        let way = operation.channel.map { "a message on channel \($0)" } ?? "\(operation.method) \(operation.pathTemplate)"
        var lines = [operation.qualifiedName + (operation.summary.map { ": \($0)" } ?? ""), way]
        lines += operation.aliasPaths.map { "also at \($0)" }
        lines += basis(operation.fidelity, operation.source, folder) + ["\(operation.file):\(operation.line)"]
        if let stub = operation.stub {
            lines.append("a stub: no code implements it; " + (stub.answer.map { "it answers its example '\($0)'" } ?? "it answers nothing"))
        }
        for (name, value) in operation.query.sorted(by: { $0.key < $1.key }) { lines.append("query \(name)=\(value)") }
        for parameter in operation.parameters {
            let example = parameter.example.map { ", such as \($0.string ?? $0.text)" } ?? ""
            lines.append("\(parameter.location.rawValue) \(parameter.name): \(parameter.required ? "required" : "optional")\(example)")
        }
        lines += requiredLines(of: operation.requestBody)
        for media in operation.requestBody?.mediaTypes ?? [] {
            for example in media.examples { lines += ["", "request \(example.name) (\(media.type))"] + indented(example.value) }
        }
        for answer in operation.answers {
            let status = answer.status.map { "\($0) " } ?? ""
            lines += ["", "answer \(status)\(answer.name): \(answer.outcome.rawValue)"] + (answer.example.map(indented) ?? [])
        }
        return lines
    }

    /// `body /id_token: required`, once where several media types have it.
    private static func requiredLines(of body: ContractRequestBody?) -> [String] {
        let types = Set((body?.mediaTypes ?? []).map(\.type))
        var lines: [String] = []
        for media in body?.mediaTypes ?? [] {
            let part = types.count == 1 ? "body" : "body (\(media.type))"
            for member in media.schema?.requiredMembers ?? [] {
                let line = "\(part) \(member.pointer): \(member.need.words)"
                if !lines.contains(line) { lines.append(line) }
            }
        }
        return lines
    }

    private static func lines(_ message: ContractMessage, _ folder: String) -> [String] {
        var lines = [message.qualifiedName + (message.summary.map { ": \($0)" } ?? "")]
        lines += ["a message that is sent on channel \(message.channel)"] + basis(message.fidelity, message.source, folder)
        for example in message.examples { lines += ["", "example \(example.name)"] + indented(example.value) }
        return lines
    }

    private static func basis(_ fidelity: Fidelity, _ source: String, _ folder: String) -> [String] {
        ["\(fidelity.rawValue): \(source)"] + Citation.all(in: source).compactMap { $0.line(in: folder) }
    }

    private static func indented(_ value: JSON) -> [String] {
        (value.string ?? value.prettyText).split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
    }
}

extension Schema.RequiredMember.Need {
    fileprivate var words: String {
        switch self {
        case .always: "required"
        case .insideOptional: "required where its object is sent"
        case .inSomeForms: "required in some forms of its object"
        }
    }
}
