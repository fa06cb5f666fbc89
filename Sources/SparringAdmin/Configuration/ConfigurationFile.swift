public import SparringContract
package import SparringJSON
import SparringSandbox

/// A file that declares sandboxes with their tenants and faults:
///
/// ```yaml
/// sandboxes:
///   - name: default
///     seed: 7
///     tenants: { liveperson: { accountId: "12345678" } }
///     faults: [ "liveperson.Login.* token-expired times=2" ]
///   - name: at-midnight
///     scenario: key-rotated-at-midnight
/// ```
public struct ConfigurationFile: Sendable {
    struct Sandbox: Sendable {
        var pointer: JSONPointer
        var request: World.SandboxRequest
        /// A scenario's name, or a file's path, seen from this one's folder.
        var scenario: String?
    }

    let document: YAMLDocument
    let sandboxes: [Sandbox]
    /// The tenants of its first sandbox.
    package var tenants: JSON.Object { sandboxes.first?.request.tenants ?? [:] }
    private let folder: String

    /// - Throws: ``ContractError`` with file and line: bad YAML, unknown members, wrong types, a name given twice.
    public init(parsing text: String, file: String) throws(ContractError) {
        let document = try YAMLDocument(parsing: text, file: file)
        self.document = document
        folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        do throws(ConfigurationError) { sandboxes = try Self.sandboxes(of: document.json) } catch {
            throw document.error(at: error.pointer, error.message)
        }
    }

    /// All that is wrong with a file's form; what the server's vendors make of it is left aside. Empty for a file that is not YAML.
    public static func formErrors(in text: String, file: String) -> [ContractError] {
        (try? DeclarationReview.errors(in: text, file: file) { json throws(ConfigurationError) in _ = try sandboxes(of: json) }) ?? []
    }

    static func sandboxes(of json: JSON) throws(ConfigurationError) -> [Sandbox] {
        let whole = try Declaration(json, at: .root, known: ["$schema", "sandboxes"])
        guard json["sandboxes"]?.array != nil else {
            throw whole.error("sandboxes", "expected a list 'sandboxes', each with its name")
        }
        var sandboxes: [Sandbox] = []
        for (index, value) in try whole.list("sandboxes").enumerated() {
            let declared = try Declaration(
                value, at: JSONPointer(tokens: ["sandboxes", String(index)]), known: ["name", "scenario"] + World.SandboxRequest.members)
            guard let name = value["name"]?.string, World.isSandboxName(name) else {
                throw declared.error("name", "a sandbox needs a 'name' of up to 63 lower-case letters, digits and hyphens")
            }
            guard !sandboxes.contains(where: { $0.request.name == name }) else {
                throw declared.error("name", "sandbox '\(name)' is declared twice")
            }
            var request = try World.SandboxRequest(declared)
            request.name = name
            sandboxes.append(Sandbox(pointer: declared.pointer, request: request, scenario: try declared.optionalText("scenario")))
        }
        return sandboxes
    }

    /// The scenario that one of the sandboxes is made of.
    ///
    /// - Throws: ``ContractError`` with the place here, or in the scenario's file.
    func scenario(of sandbox: Sandbox, among scenarios: Scenarios) throws -> Scenario? {
        guard let name = sandbox.scenario else { return nil }
        let isBeside = ScenarioFile.isPath(name) && !name.hasPrefix("/") && !folder.isEmpty
        do { return try scenarios.find(isBeside ? "\(folder)/\(name)" : name) } catch let error as ToolError {
            throw document.error(at: sandbox.pointer.appending("scenario"), error.description)
        }
    }

    /// ``tenants``, for what makes no sandbox of them.
    ///
    /// - Parameter vendors: those that there are.
    /// - Throws: ``ContractError`` with the place of another.
    package func checkedTenants(_ vendors: [String]) throws(ContractError) -> JSON.Object {
        if let sandbox = sandboxes.first, let unknown = tenants.keys.first(where: { !vendors.contains($0) }) {
            let hint = Nearest.hint(for: unknown, in: vendors)
            let place = sandbox.pointer.appending("tenants").appending(unknown)
            throw document.error(at: place, "no vendor '\(unknown)'; there are \(vendors.joined(separator: ", "))\(hint)")
        }
        return tenants
    }

    /// The error of the world about one of the sandboxes, with its place in the file.
    func located(_ error: World.ChangeError, _ pointer: JSONPointer) -> ContractError {
        let error = error.located(at: pointer)
        return document.error(at: error.pointer, error.message)
    }
}

extension World.ChangeError {
    /// The error with its place in the declaration of the sandbox.
    ///
    /// - Parameter pointer: the sandbox's own place there.
    func located(at pointer: JSONPointer) -> ConfigurationError {
        switch self {
        case .exists: ConfigurationError(pointer.appending("name"), description)
        case .tenantTaken(let vendor, _, _): ConfigurationError(JSONPointer(tokens: pointer.tokens + ["tenants", vendor]), description)
        case .invalid(let error):
            ConfigurationError(JSONPointer(tokens: pointer.tokens + error.pointer.tokens), error.description, missing: error.missing)
        case .fault(let place, let error):
            ConfigurationError(JSONPointer(tokens: pointer.tokens + place.tokens), error.description)
        }
    }
}
