internal import Foundation

extension Contract {
    static let fileSuffix = ".openapi.yaml"
    static let messagesSuffix = ".asyncapi.yaml"
    static let adminSuffix = ".admin.openapi.yaml"

    /// Reads every `<vendor>.openapi.yaml` of a directory, sorted by name, with the `<vendor>.asyncapi.yaml` and the
    /// `<vendor>.admin.openapi.yaml` beside it.
    ///
    /// - Throws: ``ContractError``: no such directory, no contract in it, an unreadable file, messages or admin operations
    ///   of a vendor without calls, or the first error in a file.
    public static func load(directory: String) throws(ContractError) -> [Contract] {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        } catch {
            throw ContractError(file: directory, message: "cannot read this directory of contracts: \(error.localizedDescription)")
        }
        let vendors = names(entries.filter { !$0.hasSuffix(adminSuffix) }, fileSuffix)
        guard !vendors.isEmpty else { throw ContractError(file: directory, message: "holds no contract (no file *\(fileSuffix))") }
        let folder = directory.hasSuffix("/") ? directory : directory + "/"
        let (speakers, hosts) = (names(entries, messagesSuffix), names(entries, adminSuffix))
        for (names, suffix) in [(speakers, messagesSuffix), (hosts, adminSuffix)] {
            if let alone = names.first(where: { !vendors.contains($0) }) {
                throw ContractError(file: folder + alone + suffix, message: "there is no \(alone)\(fileSuffix) beside it")
            }
        }
        var contracts: [Contract] = []
        for vendor in vendors {
            let file = folder + vendor + fileSuffix
            var messages: (String, String)?
            if speakers.contains(vendor) { messages = (try text(of: folder + vendor + messagesSuffix), folder + vendor + messagesSuffix) }
            var admin: Contract?
            if hosts.contains(vendor) {
                let file = folder + vendor + adminSuffix
                admin = try Contract(parsing: try text(of: file), file: file, vendor: vendor)
            }
            contracts.append(try Contract(parsing: try text(of: file), file: file, vendor: vendor, messages: messages, admin: admin))
        }
        return contracts
    }

    private static func names(_ files: [String], _ suffix: String) -> [String] {
        files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    }

    private static func text(of file: String) throws(ContractError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else { throw ContractError(file: file, message: "cannot be read") }
        guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: file, message: "is not UTF-8") }
        return text
    }
}
