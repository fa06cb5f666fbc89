import ArgumentParser
import SparringJSON

/// `sparring act`
struct ActCommand: SandboxVerb {
    static let abstract = "Call one of a vendor's admin operations."
    static let discussion = """
        Give the operation's path parameters and body members as name=JSON. A value that is not JSON is a string. \
        Without an operation, the command lists the operations of one vendor or of all.
          sparring act
          sparring act liveperson say consumer=alice text=Hello
          sparring act liveperson signOut consumer=alice reason=revoked
        """

    @Argument(help: "The vendor.") var vendor: String?
    @Argument(help: "The operation's id.") var operation: String?
    @Argument(help: ArgumentHelp("A path parameter or a body member.", valueName: "name=JSON"), transform: JSONArgument.namedValue)
    var members: [(name: String, value: JSON)] = []

    func run(_ sandbox: RemoteSandbox) async throws {
        guard let operation else { return try await list(sandbox) }
        let answer = try await sandbox.act(operation, JSONArgument.members(members) ?? [:], of: vendor)
        try sandbox.connection.show(answer) { json in
            json["done"]?.array == nil ? json.prettyText : RemoteSandbox.done(json)
        }
    }

    private func list(_ sandbox: RemoteSandbox) async throws {
        if let vendor, let dot = vendor.firstIndex(of: ".") {
            throw CommandFailure(
                text: "the vendor and its operation are two words: sparring act \(vendor[..<dot]) \(vendor[vendor.index(after: dot)...])",
                status: 64)
        }
        let answer = try await sandbox.server.call(.listOperations)
        if let vendor { try require(vendor, in: try answer.json) }
        try sandbox.connection.show(answer) { Self.table($0, vendor: vendor) }
    }

    /// The operations of one vendor, or of all, with examples.
    static func table(_ json: JSON, vendor: String?) -> String {
        let operations = json["operations"]?.array?.compactMap { operation -> [String]? in
            let words = operation.plain("operation").split(separator: ".", maxSplits: 1).map(String.init)
            guard words.count == 2, words[0] != "admin", vendor == nil || vendor == words[0] else { return nil }
            let needs = (operation["parameters"]?.array ?? []).compactMap { $0["name"]?.string }.filter { $0 != "sandbox" }
            let example = operation["example"]?.text ?? needs.map { "{\"\($0)\":…}" }.joined(separator: " ")
            return words + [operation.plain("summary"), example]
        }
        return Table.text("vendor", "operation", "what it does", "example", of: operations) { $0 }
    }

    /// - Throws: ``CommandFailure`` for a vendor that adds no operations.
    private func require(_ vendor: String, in json: JSON) throws {
        let all = (json["operations"]?.array ?? []).compactMap { $0["operation"]?.string?.split(separator: ".").first.map(String.init) }
        let vendors = Set(all).subtracting(["admin"]).sorted()
        guard !vendors.contains(vendor) else { return }
        throw CommandFailure(
            text: "no vendor '\(Terminal.printable(vendor))' adds operations to the admin API; there are \(vendors.joined(separator: ", "))"
                + Nearest.hint(for: vendor, in: vendors), status: 64)
    }
}
