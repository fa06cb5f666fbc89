internal import Foundation
public import SparringJSON

/// The contracts of a folder, as overlays change them.
public struct ContractFolder: Sendable {
    public let contracts: [Contract]
    /// Actions of the overlays that changed nothing, and what may have lost its name by them.
    public let warnings: [OverlayWarning]
    private let roots: [String: YAMLNode]

    /// The documents as the overlays have left them, by the names of their files.
    public var documents: [String: JSON] { roots.compactMapValues { try? $0.json() } }

    /// Reads every `<vendor>.openapi.yaml` of a folder, sorted by name, with the `<vendor>.asyncapi.yaml` and the
    /// `<vendor>.admin.openapi.yaml` beside it.
    ///
    /// - Throws: ``ContractError``: no such folder, no contract in it, an unreadable file, messages or admin operations
    ///   of a vendor without calls, an overlay of a file that is not there, or the first error in a file.
    public init(path: String, overlays: [Overlay] = []) throws(ContractError) {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw ContractError(file: path, message: "cannot read this directory of contracts: \(error.localizedDescription)")
        }
        let vendors = Self.names(entries.filter { !$0.hasSuffix(Contract.adminSuffix) }, Contract.fileSuffix)
        guard !vendors.isEmpty else { throw ContractError(file: path, message: "holds no contract (no file *\(Contract.fileSuffix))") }
        let folder = path.hasSuffix("/") ? path : path + "/"
        let (speakers, hosts) = (Self.names(entries, Contract.messagesSuffix), Self.names(entries, Contract.adminSuffix))
        for (names, suffix) in [(speakers, Contract.messagesSuffix), (hosts, Contract.adminSuffix)] {
            if let alone = names.first(where: { !vendors.contains($0) }) {
                throw ContractError(file: folder + alone + suffix, message: "there is no \(alone)\(Contract.fileSuffix) beside it")
            }
        }
        var documents = vendors.map { $0 + Contract.fileSuffix }
        documents += speakers.map { $0 + Contract.messagesSuffix } + hosts.map { $0 + Contract.adminSuffix }
        for overlay in overlays where !documents.contains(overlay.document) {
            let hint = Nearest.hint(for: overlay.document, in: documents)
            throw overlay.place.error("there is no contract '\(overlay.document)'\(hint)")
        }
        var warnings: [OverlayWarning] = []
        var roots: [String: YAMLNode] = [:]
        func document(_ vendor: String, _ suffix: String, _ overlays: [Overlay]) throws(ContractError) -> ContractDocument {
            let file = folder + vendor + suffix
            var root = try YAMLNode(parsing: try YAMLFile.text(of: file), file: file)
            for overlay in overlays where overlay.document == vendor + suffix { warnings += try overlay.apply(to: &root) }
            roots[vendor + suffix] = root
            return ContractDocument(file: file, root: root)
        }
        func contract(_ vendor: String, _ overlays: [Overlay]) throws(ContractError) -> Contract {
            let messages = speakers.contains(vendor) ? try document(vendor, Contract.messagesSuffix, overlays) : nil
            var admin: Contract?
            if hosts.contains(vendor) { admin = try Contract(try document(vendor, Contract.adminSuffix, overlays), vendor: vendor) }
            return try Contract(try document(vendor, Contract.fileSuffix, overlays), vendor: vendor, messages: messages, admin: admin)
        }
        var contracts: [Contract] = []
        for vendor in vendors {
            var shipped: Contract?
            if overlays.contains(where: { $0.vendor == vendor }) { shipped = try contract(vendor, []) }
            contracts.append(try contract(vendor, overlays))
            if let shipped { warnings += ReplacedNames(shipped: shipped, changed: contracts[contracts.count - 1]).warnings }
        }
        self.contracts = contracts
        self.warnings = warnings
        self.roots = roots
    }

    private static func names(_ files: [String], _ suffix: String) -> [String] {
        files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }
}

/// A file of a contract, parsed.
struct ContractDocument {
    let file: String
    let root: YAMLNode
}

extension Contract {
    static let fileSuffix = ".openapi.yaml"
    static let messagesSuffix = ".asyncapi.yaml"
    static let adminSuffix = ".admin.openapi.yaml"

    /// The contracts of a folder as they are.
    ///
    /// - Throws: what ``ContractFolder/init(path:overlays:)`` throws.
    public static func load(directory: String) throws(ContractError) -> [Contract] { try ContractFolder(path: directory).contracts }
}
