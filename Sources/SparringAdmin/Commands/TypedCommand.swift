import SparringContract
import SparringEngine
import SparringJSON

/// A command line of the CLI as the request of the admin API that it stands for.
struct TypedCommand {
    let operation: ContractOperation
    private let command: DeclaredCommand
    private let given: [String: [String]]

    /// - Parameter words: without the program's name.
    init(_ words: [String], among operations: [ContractOperation]) throws(AdminProblem) {
        let known = operations.flatMap { operation in operation.commands.map { (operation: operation, command: $0) } }
        let candidates = known.filter { words.starts(with: $0.command.words) }
        guard let longest = candidates.map(\.command.words.count).max() else { throw Self.unknown(words, known.map(\.command)) }
        var reasons: [String] = []
        for (operation, command) in candidates where command.words.count == longest {
            do throws(GivenParts.Refused) {
                given = try GivenParts(words.dropFirst(longest), of: command).texts
                (self.operation, self.command) = (operation, command)
                return
            } catch { reasons.append(error.reason) }
        }
        throw Self.invalid(reasons.joined(separator: "; or "))
    }

    private static func unknown(_ words: [String], _ known: [DeclaredCommand]) -> AdminProblem {
        let names = known.map { $0.words.joined(separator: " ") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let typed = words.prefix(2).joined(separator: " ")
        let related = names.filter { $0.split(separator: " ").first.map(String.init) == words.first }
        let nearest = Nearest.words(to: typed, in: names)
        let offered =
            related.isEmpty
            ? names.map { $0.split(separator: " ")[0] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } : related.map { $0[...] }
        return invalid(
            "there is no command \(typed.quoted) that is a single request; there is \(offered.joined(separator: ", "))", nearest: nearest)
    }

    private static func invalid(_ detail: String, nearest: [String] = []) -> AdminProblem {
        AdminProblem("command-invalid", detail, nearest: nearest)
    }

    /// The target of the request: path and query.
    func target(in sandbox: String) throws(AdminProblem) -> String {
        var values = ["sandbox": sandbox]
        var query: [String] = []
        for parameter in operation.parameters {
            guard let part = command.parameters[parameter.name], let text = given[part]?.joined(separator: " ") else { continue }
            // Clients take them for a step in the path (RFC 3986 §5.2.4).
            if parameter.location == .path, [".", ".."].contains(text) { throw Self.invalid("\(part): \(text.quoted) can be no name") }
            if parameter.location == .path { values[parameter.name] = text }
            if parameter.location == .query { query.append("\(parameter.name)=\(PercentCoding.encoded(text))") }
        }
        return operation.path(values) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    func body() throws(AdminProblem) -> JSON? {
        let fields = operation.requestBody?.mediaTypes.lazy.compactMap(\.schema).first?.fields ?? []
        return try command.body.map { template throws(AdminProblem) in try filled(template, [], fields) ?? [:] }
    }

    /// Nil for what is not given.
    private func filled(_ template: JSON, _ types: [String], _ fields: [Schema.Field] = []) throws(AdminProblem) -> JSON? {
        switch template {
        case .string(let name):
            guard let part = command.parts.first(where: { $0.name == name }) else { return template }
            return try given[name].map { texts throws(AdminProblem) in try value(of: part, texts, types) }
        case .object(let members):
            var object: JSON.Object = [:]
            for (name, member) in members {
                let types = fields.first { $0.name == name }?.types ?? []
                guard let value = try filled(member, types) else { continue }
                if name == "*" { object.merge(value.object ?? [:]) { _, new in new } } else { object[name] = value }
            }
            return .object(object)
        default: return template
        }
    }

    private func value(of part: DeclaredCommand.Part, _ texts: [String], _ types: [String]) throws(AdminProblem) -> JSON {
        switch part.value {
        case .none: return true
        case .text where part.isRepeated && part.isOption: return .array(texts.map { .string($0) })
        case .text:
            let text = texts.joined(separator: " ")
            guard !types.isEmpty, types.allSatisfy({ ["integer", "number"].contains($0) }) else { return .string(text) }
            guard Double(text) != nil, let number = try? JSON(parsing: text) else {
                throw Self.invalid("\(part.name): \(text.quoted) is not a number")
            }
            return number
        case .json:
            do { return try JSON(parsing: texts.joined(separator: " ")) } catch { throw Self.invalid("\(part.name): \(error)") }
        case .member, .field:
            var object: JSON.Object = [:]
            for text in texts {
                let (name, value) = try Self.pair(text, of: part)
                object[name] = part.value == .member ? try Self.jsonOrText(value, part) : .string(value)
            }
            return .object(object)
        }
    }

    private static func pair(_ text: String, of part: DeclaredCommand.Part) throws(AdminProblem) -> (name: String, value: String) {
        let sign: Character = part.value == .member ? "=" : ":"
        guard let place = text.firstIndex(of: sign), place != text.startIndex else {
            let form = part.value == .member ? "name=JSON" : "'Name: text'"
            throw invalid("\(part.name): \(text.quoted) must be \(form)")
        }
        let rest = text[text.index(after: place)...]
        return (String(text[..<place]), String(part.value == .member ? rest : rest.drop { $0 == " " }))
    }

    /// A value that is not JSON is a string, unless it begins as JSON does. What begins with `{$` is a value of a stub.
    private static func jsonOrText(_ text: String, _ part: DeclaredCommand.Part) throws(AdminProblem) -> JSON {
        do { return try JSON(parsing: text) } catch {
            guard !isLikeJSON(text) else { throw invalid("\(part.name): \(error)") }
            return .string(text)
        }
    }

    private static func isLikeJSON(_ text: String) -> Bool { text.first.map { "{[\"".contains($0) } == true && !text.hasPrefix("{$") }
}

extension TypedCommand {
    /// The command line as a shell takes it, in its shortest form.
    ///
    /// - Parameters:
    ///   - sandbox: that it acts on, if its words do not say so.
    ///   - url: the server's.
    func line(in sandbox: String, at url: String) -> String {
        let arguments = command.parts.filter { !$0.isOption }.flatMap(words)
        var options = command.parts.filter(\.isOption).flatMap(words)
        let isOfSandbox = operation.parameters.contains { $0.name == "sandbox" } && command.parameters["sandbox"] == nil
        if isOfSandbox, sandbox != "default" { options += ["--sandbox", sandbox] }
        if url != "http://127.0.0.1:8080" { options += ["--url", url] }
        let isGuarded = arguments.contains { $0.hasPrefix("-") }
        let all = command.words + (isGuarded ? options + ["--"] + arguments : arguments + options)
        return (["sparring"] + all).map(ShellWords.quote).joined(separator: " ")
    }

    private func words(_ part: DeclaredCommand.Part) -> [String] {
        guard let texts = given[part.name] else { return [] }
        let values =
            part.value == .member ? texts.map(Self.shortest) : part.isRepeated && !part.isOption ? [texts.joined(separator: " ")] : texts
        guard part.isOption else { return values }
        if part.value == .none { return [part.name] }
        return values.flatMap { $0.hasPrefix("-") ? ["\(part.name)=\($0)"] : [part.name, $0] }
    }

    /// `text=Hello` for `text="Hello"`, where that is read as the same.
    private static func shortest(_ pair: String) -> String {
        let pieces = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2, case .string(let text)? = try? JSON(parsing: pieces[1]), !isLikeJSON(text),
            (try? JSON(parsing: text)) == nil
        else { return pair }
        return "\(pieces[0])=\(text)"
    }
}
