public import SparringContract
import SparringJSON

/// A file that declares sandboxes with their tenants and faults:
///
/// ```yaml
/// sandboxes:
///   - name: default
///     seed: 7
///     tenants: { liveperson: { accountId: "12345678" } }
///     faults: [ "liveperson.Login.* token-expired times=2" ]
/// ```
public struct ConfigurationFile: Sendable {
    let document: YAMLDocument
    let sandboxes: [(pointer: JSONPointer, request: World.SandboxRequest)]

    /// - Throws: ``ContractError`` with file and line: bad YAML, unknown members, wrong types, a name given twice.
    public init(parsing text: String, file: String) throws(ContractError) {
        document = try YAMLDocument(parsing: text, file: file)
        try Self.allow(["sandboxes"], at: .root, document)
        guard let declared = document.json["sandboxes"]?.array else {
            throw document.error(at: JSONPointer(tokens: ["sandboxes"]), "a list 'sandboxes' should stand here, each with its name")
        }
        var sandboxes: [(pointer: JSONPointer, request: World.SandboxRequest)] = []
        for (index, value) in declared.enumerated() {
            let pointer = JSONPointer(tokens: ["sandboxes", String(index)])
            let request = try Self.request(value, at: pointer, document)
            guard !sandboxes.contains(where: { $0.request.name == request.name }) else {
                throw document.error(at: pointer.appending("name"), "sandbox '\(request.name ?? "")' is declared twice")
            }
            sandboxes.append((pointer, request))
        }
        self.sandboxes = sandboxes
    }

    private static func request(_ value: JSON, at pointer: JSONPointer, _ document: YAMLDocument) throws(ContractError)
        -> World.SandboxRequest
    {
        try allow(["name", "seed", "clock", "tenants", "faults"], at: pointer, document)
        var request = World.SandboxRequest()
        guard let name = value["name"]?.string, World.isSandboxName(name) else {
            throw document.error(
                at: pointer.appending("name"), "a sandbox needs a 'name' of up to 63 small letters, digits and hyphens")
        }
        request.name = name
        if let seed = value["seed"] {
            guard let number = seed.integer, number >= 0 else {
                throw document.error(at: pointer.appending("seed"), "'seed' is a whole number from 0 on")
            }
            request.seed = number
        }
        request.clock = value["clock"]
        if let tenants = value["tenants"] {
            guard let object = tenants.object else {
                throw document.error(at: pointer.appending("tenants"), "'tenants' is a mapping from vendor to its configuration")
            }
            request.tenants = object
        }
        if let faults = value["faults"] {
            guard let list = faults.array else { throw document.error(at: pointer.appending("faults"), "'faults' is a list") }
            request.faults = list
        }
        return request
    }

    private static func allow(_ known: [String], at pointer: JSONPointer, _ document: YAMLDocument) throws(ContractError) {
        guard let members = document.json[pointer]?.object else { throw document.error(at: pointer, "a mapping should stand here") }
        for name in members.keys where !known.contains(name) {
            let nearest = Nearest.words(to: name, in: known)
            throw document.error(
                at: pointer.appending(name), "unknown member '\(name)'" + (nearest.first.map { " (did you mean '\($0)'?)" } ?? ""))
        }
    }

    /// What an error of the world about one of the sandboxes is, with its place in the file.
    func located(_ error: World.ChangeError, _ pointer: JSONPointer) -> ContractError {
        switch error {
        case .exists(let name): document.error(at: pointer.appending("name"), "there is a sandbox '\(name)' already")
        case .tenantTaken(let vendor, let id, let by):
            document.error(
                at: JSONPointer(tokens: pointer.tokens + ["tenants", vendor]), "the \(vendor) tenant '\(id)' belongs to sandbox '\(by)'")
        case .invalid(let error): document.error(at: JSONPointer(tokens: pointer.tokens + error.pointer.tokens), error.description)
        case .fault(let place, let error): document.error(at: JSONPointer(tokens: pointer.tokens + place.tokens), error.description)
        }
    }
}
