internal import HTTPTypes
internal import SparringJSON

/// The call that a stub answers: `GET /settings/{platform}?v=2`.
package struct StubCall: Sendable {
    /// `GET`
    let method: String
    /// With parameters in braces.
    let path: String
    /// Constants that the query must have.
    let query: [(name: String, value: String)]
    let template: PathTemplate

    private static let methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"]

    /// - Throws: ``ConfigurationError`` without a place.
    init(_ text: String) throws(ConfigurationError) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, Self.methods.contains(words[0]), words[1].hasPrefix("/") else {
            let methods = Self.methods.joined(separator: ", ")
            throw ConfigurationError(.root, "a method and a path, such as GET /settings/{platform}; the method is one of \(methods)")
        }
        let parts = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        do { template = try PathTemplate(parts[0]) } catch { throw ConfigurationError(.root, "the path \(error.reason)") }
        guard !ContractOperation.isOwn(path: parts[0]) else {
            throw ConfigurationError(.root, "\(parts[0]) is Sparring's own, and no vendor's")
        }
        (method, path) = (words[0], parts[0])
        query = parts.count > 1 ? PercentCoding.fields(parts[1][...]).map { ($0.name, $0.value) } : []
    }

    /// Whether it is the call of an operation that a contract declares.
    func isOf(_ operation: ContractOperation) -> Bool { operation.method.rawValue == method && operation.pathTemplate == path }

    /// A name for its operation: `postV2AppsSettings` of `POST /v2/apps/{appId}/settings`.
    var name: String {
        let literals = template.segments.filter { $0.parameter == nil }.map { String(decoding: $0.prefix, as: UTF8.self) }
        let words = literals.flatMap { $0.split { !$0.isASCII || !$0.isLetter && !$0.isNumber } }
        return method.lowercased() + (words.isEmpty ? "Root" : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())
    }

    /// The operation whose path has most in common with its own: of equals the first, so that it is the same one each time.
    func kin(among operations: [ContractOperation]) -> ContractOperation? {
        var best: (operation: ContractOperation, kinship: Int)?
        for operation in operations {
            let kinship = kinship(with: operation)
            if kinship > best?.kinship ?? -1 { best = (operation, kinship) }
        }
        return best?.operation
    }

    /// How many literal segments its path has in common with an operation's, from the front on.
    func kinship(with operation: ContractOperation) -> Int {
        var count = 0
        for (mine, other) in zip(template.segments, operation.template.segments) {
            if mine.parameter != nil || other.parameter != nil { continue }
            guard mine.prefix == other.prefix else { break }
            count += 1
        }
        return count
    }
}

extension StubCall {
    /// The command with which a sandbox would answer a call that no contract has.
    ///
    /// - Parameter operations: where the path of the most similar one has a parameter, so has the stub's.
    /// - Returns: nil for what is no call that a stub can have.
    package static func command(for method: String, _ target: String, like operations: [ContractOperation]) -> String? {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard path.utf8.count <= 300, !path.contains(where: { "'{}".contains($0) || $0.isWhitespace }),
            let call = try? StubCall("\(method) \(path)")
        else { return nil }
        return "sparring stub add '\(method) \(call.kin(among: operations).map(call.path(like:)) ?? call.path)'"
    }

    /// Its path, with the other one's parameters as far as the two agree.
    func path(like operation: ContractOperation) -> String {
        var (segments, isAlike) = ([String](), kinship(with: operation) > 0)
        let own = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        for (index, text) in own.enumerated() {
            let other =
                index < operation.template.segments.count && index < template.segments.count ? operation.template.segments[index] : nil
            isAlike = isAlike && other.map { $0.parameter != nil || $0.prefix == template.segments[index].prefix } == true
            let parameter = other?.prefix.isEmpty == true && other?.suffix.isEmpty == true ? other?.parameter : nil
            segments.append(isAlike ? parameter.map { "{\($0)}" } ?? text : text)
        }
        return "/" + segments.joined(separator: "/")
    }
}
