internal import Foundation

extension Contract {
    static let fileSuffix = ".openapi.yaml"

    /// Reads every `<vendor>.openapi.yaml` of a directory, sorted by name.
    ///
    /// - Throws: ``ContractError``: no such directory, no contract in it, an unreadable file, or the first error in one.
    public static func load(directory: String) throws(ContractError) -> [Contract] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(fileSuffix) }.sorted()
        } catch {
            throw ContractError(file: directory, message: "cannot read this directory of contracts: \(error.localizedDescription)")
        }
        guard !names.isEmpty else { throw ContractError(file: directory, message: "holds no contract (no file *\(fileSuffix))") }
        var contracts: [Contract] = []
        for name in names {
            let file = directory.hasSuffix("/") ? directory + name : directory + "/" + name
            contracts.append(try Contract(parsing: try text(of: file), file: file, vendor: String(name.dropLast(fileSuffix.count))))
        }
        return contracts
    }

    private static func text(of file: String) throws(ContractError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else { throw ContractError(file: file, message: "cannot be read") }
        guard let text = String(validating: data, as: UTF8.self) else { throw ContractError(file: file, message: "is not UTF-8") }
        return text
    }
}
