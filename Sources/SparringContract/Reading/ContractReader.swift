internal import SparringJSON

/// Reads one file of a contract. It stops at the first error; what it returns is verified.
final class ContractReader: YAMLReading {
    let root: YAMLNode
    let file: String
    let vendor: String
    /// It has been read once, and nothing was wrong: only what is needed of it is read.
    let isChecked: Bool

    let places: PlaceIndex
    let schemas: SchemaReader

    // What a `$ref` leads to, so that a component is read once however often it is used.
    var parameters: [String: ContractParameter] = [:]
    var responses: [String: [AnswerDraft]] = [:]
    var messages: [String: MessageDraft] = [:]
    /// The components that `$ref`s lead to, by their texts.
    var found: [String: YAMLNode] = [:]

    /// `components`: section, name.
    private(set) var components: [String: [String: YAMLNode]] = [:]
    var tags: Set<String> = []
    var pathAliases: [PathAlias] = []
    /// The content type of messages that do not state one.
    var defaultContentType = "application/json"

    init(_ document: ContractDocument, vendor: String) {
        root = document.root
        file = document.file
        isChecked = document.isChecked
        self.vendor = vendor
        places = PlaceIndex(document.root, document: document.file)
        schemas = SchemaReader(root: document.root, places, completes: document.file.hasSuffix(Contract.adminSuffix))
    }

    func document() throws(ContractError) -> Contract.Document {
        let fields = try fields(
            root, of: "the document",
            known: [
                "openapi", "info", "servers", "tags", "paths", "components", "externalDocs", "x-unknown-tenant", "x-malformed", "x-aliases",
                "x-vendor-hosts",
            ])
        let version = try fields.require("openapi")
        guard try string(version).hasPrefix("3.1.") else { throw error("only OpenAPI 3.1 is supported", at: version) }
        let info = try self.fields(
            try fields.require("info"), of: "info", known: ["title", "version", "description", "summary"])
        let title = try string(try info.require("title"))
        let (hosts, vendorHosts) = (try servers(fields["servers"]), try vendorHosts(fields["x-vendor-hosts"]))
        tags = try tags(fields["tags"])
        try externalDocs(fields["externalDocs"])
        try index(
            fields["components"], sections: ["schemas", "parameters", "responses", "headers", "examples", "requestBodies"])
        pathAliases = try pathAliases(fields["x-aliases"])
        let operations = try operations(try fields.require("paths"))
        try requireUse(of: pathAliases, by: operations)
        if !isChecked {
            try verifyComponents(fields["components"])
            try schemas.refuseStrayStandIns()
        }
        return Contract.Document(
            title: title, version: try string(try info.require("version")), hosts: hosts, vendorHosts: vendorHosts,
            brandTags: try brandTags(fields["tags"]), operations: operations,
            unknownTenantAnswer: try unknownTenantAnswer(fields["x-unknown-tenant"], operations),
            malformedAnswer: try malformedAnswer(fields["x-malformed"], operations))
    }

    private func servers(_ node: YAMLNode?) throws(ContractError) -> [ServerHost] {
        var hosts: [ServerHost] = []
        for element in try elements(node) {
            let url = try fields(element, of: "a server", known: ["url", "description"]).require("url")
            let text = try string(url)
            // A base path would be part of every operation's path; the paths carry it themselves.
            let path = text.firstRange(of: "://").map { text[$0.upperBound...].drop { $0 != "/" } } ?? text[...]
            guard path.isEmpty || path == "/" else { throw error("a server's url has no path: write it in the paths", at: url) }
            if let host = ServerHost(url: text) { hosts.append(host) }
        }
        return hosts
    }

    /// The hosts that a forward proxy takes for the vendor's.
    private func vendorHosts(_ node: YAMLNode?) throws(ContractError) -> [ServerHost] {
        var hosts: [ServerHost] = []
        for element in try elements(node) {
            let entry = try fields(element, of: "a vendor's host", known: ["host", "x-fidelity", "x-source"])
            let place = try entry.require("host")
            guard let host = ServerHost(try string(place)) else {
                throw error("'\(try string(place))' is not a host name; one part of it may vary, as in '{region}.example.com'", at: place)
            }
            if let word = entry["x-fidelity"] { _ = try fidelity(word) }
            if let source = entry["x-source"] { _ = try string(source) }
            hosts.append(host)
        }
        return hosts
    }

    func tags(_ node: YAMLNode?) throws(ContractError) -> Set<String> {
        var names: Set<String> = []
        for element in try elements(node) {
            let place = try fields(element, of: "a tag", known: ["name", "description", "x-served-by"]).require("name")
            let name = try string(place, spelled: .tag, "tag")
            guard names.insert(name).inserted else { throw error("tag '\(name)' is declared twice", at: place) }
        }
        return names
    }

    /// Tags with `x-served-by`.
    private func brandTags(_ node: YAMLNode?) throws(ContractError) -> Set<String> {
        var names: Set<String> = []
        for element in try elements(node) {
            let fields = try fields(element, of: "a tag", known: ["name", "description", "x-served-by"])
            guard let owner = fields["x-served-by"] else { continue }
            guard try string(owner) == "brand" else { throw error("x-served-by must be 'brand': what has none is the vendor's", at: owner) }
            names.insert(try string(try fields.require("name")))
        }
        return names
    }

    func externalDocs(_ node: YAMLNode?) throws(ContractError) {
        guard let node else { return }
        _ = try fields(node, of: "externalDocs", known: ["url", "description"]).require("url")
    }

    func index(_ node: YAMLNode?, sections: [String]) throws(ContractError) {
        guard let node else { return }
        for section in try fields(node, of: "components", known: sections).entries {
            for component in try entries(section.value) {
                try require(component, spelled: .component, "component")
                components[section.key, default: [:]][component.key] = component.value
            }
        }
    }

    /// Also what no operation uses has to be sound.
    private func verifyComponents(_ node: YAMLNode?) throws(ContractError) {
        for section in try entries(node) {
            for component in try entries(section.value) {
                switch section.key {
                case "schemas": try schemas.verify(component.value, at: JSONPointer(tokens: ["components", "schemas", component.key]))
                case "parameters": _ = try parameter(component.value)
                case "responses": _ = try answers(component.value)
                case "headers": _ = try header(component.key, component.value)
                case "examples": _ = try example(component.value)
                default: _ = try requestBody(component.value)
                }
            }
        }
    }

    private func unknownTenantAnswer(_ node: YAMLNode?, _ operations: [ContractOperation]) throws(ContractError) -> String? {
        guard let node else { return nil }
        let name = try string(node, spelled: .answer, "x-unknown-tenant")
        for operation in operations where !operation.hostNamesTenant && operation.answer(name) == nil {
            throw ContractError(
                file: operation.file, line: operation.line,
                message: "operation '\(operation.id)' has x-tenant but no answer '\(name)' (x-unknown-tenant)")
        }
        return name
    }

    private func malformedAnswer(_ node: YAMLNode?, _ operations: [ContractOperation]) throws(ContractError) -> String? {
        guard let node else { return nil }
        let name = try string(node, spelled: .answer, "x-malformed")
        guard operations.isEmpty || operations.contains(where: { $0.answer(name) != nil }) else {
            let hint = Nearest.hint(for: name, in: operations.flatMap { $0.answers.map(\.name) })
            throw error("no operation declares the answer '\(name)' (x-malformed)\(hint)", at: node)
        }
        return name
    }
}
