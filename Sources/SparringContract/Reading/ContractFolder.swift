internal import Dispatch
internal import Foundation
public import SparringJSON
internal import Synchronization

/// The contracts of a folder, as overlays change them.
public struct ContractFolder: Sendable {
    public let contracts: [Contract]
    /// Actions of the overlays that changed nothing, and what may have lost its name by them.
    public let warnings: [OverlayWarning]
    /// All that is in the folder, and just as it was when ``CheckedFiles`` were written.
    public let isChecked: Bool
    private let roots: [String: YAMLNode]

    /// The documents as the overlays have left them, by the names of their files.
    public var documents: [String: JSON] { roots.compactMapValues { try? $0.json() } }

    /// Reads every `<vendor>.openapi.yaml` of a folder, sorted by name, with the `<vendor>.asyncapi.yaml` and the
    /// `<vendor>.admin.openapi.yaml` beside it.
    ///
    /// - Parameters:
    ///   - vendors: those that are read; nil: all.
    ///   - checked: files that need not be checked again.
    /// - Throws: ``ContractError``: no such folder, no contract in it or none of a vendor, an unreadable file, messages or admin operations
    ///   of a vendor without calls, an overlay of a file that is not there, or the first error in a file.
    public init(path: String, overlays: [Overlay] = [], vendors wanted: Set<String>? = nil, checked: CheckedFiles? = nil)
        throws(ContractError)
    {
        let listing = try Listing(path)
        for overlay in overlays where !listing.has(overlay.document) {
            let hint = Nearest.hint(for: overlay.document, in: listing.documents)
            throw overlay.place.error("there is no contract '\(overlay.document)'\(hint)")
        }
        for vendor in wanted?.sorted() ?? [] where !listing.vendors.contains(vendor) {
            let hint = Nearest.hint(for: vendor, in: listing.vendors)
            throw ContractError(file: path, message: "there is no contract for a vendor '\(vendor)'\(hint)")
        }
        let vendors = listing.vendors.filter { wanted?.contains($0) ?? true }
        let shared = try listing.has(Contract.sharedSchema) ? ContractDocument(file: listing.folder + Contract.sharedSchema, checked) : nil
        let read = Mutex<[String: Result<VendorReading, ContractError>]>([:])
        // Side by side: one does not need another.
        DispatchQueue.concurrentPerform(iterations: vendors.count) { index in
            let vendor = vendors[index]
            let result: Result<VendorReading, ContractError>
            do throws(ContractError) {
                result = .success(try VendorReading(vendor, in: listing, shared, overlays.filter { $0.vendor == vendor }, checked))
            } catch {
                result = .failure(error)
            }
            read.withLock { $0[vendor] = result }
        }
        var readings: [VendorReading] = []
        let results = read.withLock { $0 }
        for vendor in vendors { if let result = results[vendor] { readings.append(try result.get()) } }
        contracts = readings.map(\.contract)
        warnings = readings.flatMap(\.warnings)
        roots = readings.reduce(into: shared.map { [Contract.sharedSchema: $0.root] } ?? [:]) { $0.merge($1.roots) { $1 } }
        isChecked =
            readings.allSatisfy(\.isChecked) && shared?.isChecked ?? true
            && Set(checked?.trees.filter(Contract.isContract) ?? []) == Set(listing.documents)
    }

    /// The names of what is in the folder.
    fileprivate struct Listing: Sendable {
        /// Ends with a slash.
        let folder: String
        let vendors: [String]
        let documents: [String]

        init(_ path: String) throws(ContractError) {
            let entries: [String]
            do {
                entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            } catch {
                throw ContractError(
                    file: path, message: "cannot read this directory of contracts: \(SystemReason(error).text)", isUnreadable: true)
            }
            let folder = path.hasSuffix("/") ? path : path + "/"
            let vendors = Self.names(entries.filter { !$0.hasSuffix(Contract.adminSuffix) }, Contract.fileSuffix)
            guard !vendors.isEmpty else { throw ContractError(file: path, message: "holds no contract (no file *\(Contract.fileSuffix))") }
            var documents = vendors.map { $0 + Contract.fileSuffix }
            for suffix in [Contract.messagesSuffix, Contract.adminSuffix, Contract.tenantSuffix] {
                let names = Self.names(entries, suffix)
                if let alone = names.first(where: { !vendors.contains($0) }) {
                    throw ContractError(file: folder + alone + suffix, message: "there is no \(alone)\(Contract.fileSuffix) beside it")
                }
                documents += names.map { $0 + suffix }
            }
            (self.folder, self.vendors) = (folder, vendors)
            self.documents = documents + entries.filter { $0 == Contract.sharedSchema }
        }

        func has(_ document: String) -> Bool { documents.contains(document) }

        private static func names(_ files: [String], _ suffix: String) -> [String] {
            files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        }
    }
}

/// One vendor's files.
private struct VendorReading: Sendable {
    let contract: Contract
    private(set) var warnings: [OverlayWarning] = []
    private(set) var roots: [String: YAMLNode] = [:]
    private(set) var isChecked = true

    init(
        _ vendor: String, in listing: ContractFolder.Listing, _ shared: ContractDocument?, _ overlays: [Overlay], _ checked: CheckedFiles?
    ) throws(ContractError) {
        var (warnings, roots, isChecked) = ([OverlayWarning](), [String: YAMLNode](), true)
        func document(_ suffix: String, _ overlays: [Overlay]) throws(ContractError) -> ContractDocument {
            let name = vendor + suffix
            let overlays = overlays.filter { $0.document == name }
            var document = try ContractDocument(file: listing.folder + name, checked)
            for overlay in overlays { warnings += try overlay.apply(to: &document.root) }
            document.isChecked = document.isChecked && overlays.isEmpty
            isChecked = isChecked && document.isChecked
            roots[name] = document.root
            return document
        }
        func contract(_ overlays: [Overlay]) throws(ContractError) -> Contract {
            let messages = listing.has(vendor + Contract.messagesSuffix) ? try document(Contract.messagesSuffix, overlays) : nil
            let host = listing.has(vendor + Contract.adminSuffix) ? try document(Contract.adminSuffix, overlays) : nil
            var tenant: Schema?
            if listing.has(vendor + Contract.tenantSuffix) {
                var neighbours = host.map { [vendor + Contract.adminSuffix: $0.root] } ?? [:]
                neighbours[Contract.sharedSchema] = shared?.root
                tenant = try Contract.tenantSchema(try document(Contract.tenantSuffix, overlays), neighbours)
            }
            return try Contract(
                try document(Contract.fileSuffix, overlays), vendor: vendor, messages: messages,
                admin: try host.map { host throws(ContractError) in try Contract(host, vendor: vendor) }, tenant: tenant)
        }
        let shipped = overlays.isEmpty ? nil : try contract([])
        self.contract = try contract(overlays)
        if let shipped { warnings += ReplacedNames(shipped: shipped, changed: self.contract).warnings }
        (self.warnings, self.roots, self.isChecked) = (warnings, roots, isChecked)
    }
}

/// A file of a contract, parsed.
struct ContractDocument {
    let file: String
    var root: YAMLNode
    /// It has been checked already.
    var isChecked = false
}

extension ContractDocument {
    init(file: String, _ checked: CheckedFiles?) throws(ContractError) {
        let data = try YAMLFile.data(of: file)
        if let tree = checked?.tree(of: data, file: file) {
            self.init(file: file, root: tree, isChecked: true)
        } else {
            self.init(file: file, root: try YAMLNode(parsing: try YAMLFile.text(in: data, of: file), file: file))
        }
    }
}

extension Contract {
    static let fileSuffix = ".openapi.yaml"
    static let messagesSuffix = ".asyncapi.yaml"
    static let adminSuffix = ".admin.openapi.yaml"
    static let tenantSuffix = ".tenant.schema.yaml"
    static let sharedSchema = "shared.schema.yaml"

    fileprivate static func isContract(_ file: String) -> Bool {
        [fileSuffix, messagesSuffix, tenantSuffix].contains { file.hasSuffix($0) } || file == sharedSchema
    }

    /// The schema of a tenant's configuration.
    fileprivate static func tenantSchema(_ document: ContractDocument, _ neighbours: [String: YAMLNode]) throws(ContractError) -> Schema {
        // Nobody asks where in a schema that is known to be sound something stands.
        let places = PlaceIndex(
            document.isChecked ? YAMLNode(content: .mapping([]), place: document.root.place) : document.root, document: document.file)
        let reader = SchemaReader(root: document.root, places, neighbours: neighbours, completes: true)
        let schema = try reader.schema(document.root)
        if !document.isChecked { try reader.refuseUnfitDefaults() }
        return schema
    }

    /// The contracts of a folder as they are.
    ///
    /// - Throws: what ``ContractFolder/init(path:overlays:vendors:checked:)`` throws.
    public static func load(directory: String) throws(ContractError) -> [Contract] { try ContractFolder(path: directory).contracts }
}
