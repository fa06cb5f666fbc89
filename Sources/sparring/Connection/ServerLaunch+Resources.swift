import Foundation
import SparringAdmin
import SparringContract
import SparringEngine
import SparringJSON
import SparringSandbox
import SparringTokens
import SparringVendors

extension ServerLaunch {
    /// A launch with the resources that came with this binary.
    ///
    /// - Parameter vendors: those that are started; none: all.
    /// - Throws: `ToolError` for a vendor that is not known.
    init(_ resources: Resources, overlays: [Overlay], isStrict: Bool, vendors: [String], database: String?) throws {
        self.init()
        try Self.requireKnown(vendors)
        options.version = sparringVersion
        options.contracts = resources.contracts
        options.overlays = overlays
        options.scenarios = resources.scenarios
        options.page = resources.page
        options.vendors = AllVendors.only(vendors)
        options.engine.isStrict = isStrict
        options.engine.database = database
        resources.shorten(&options)
    }

    /// - Throws: `ToolError` for a vendor that is not known, as `--vendor` names it.
    static func requireKnown(_ vendors: [String]) throws {
        let known = AllVendors.names
        if let unknown = vendors.first(where: { !known.contains($0) }) {
            let hint = Nearest.hint(for: unknown, in: known)
            throw ToolError("--vendor: no vendor \(unknown.quoted); there are \(known.joined(separator: ", "))\(hint)", .usage)
        }
    }
}

extension Server {
    /// With Sparring's vendors.
    ///
    /// - Parameter keys: the folder of the test keys.
    convenience init(_ options: Options, keys folder: String) throws {
        let keys = try KeyPool(folder: folder)
        try self.init(options) { [only = options.vendors] in try AllVendors.make($0, keys: keys, only: only) }
    }
}

extension ConfigurationFile {
    /// - Throws: `ToolError` where it cannot be read, `ContractError` or `ContractErrors` with file and line where it is wrong.
    static func read(_ file: String) throws -> ConfigurationFile {
        guard let data = FileManager.default.contents(atPath: file) else { throw ToolError("\(file): cannot be read", .unreadable) }
        let text = String(decoding: data, as: UTF8.self)
        do throws(ContractError) { return try ConfigurationFile(parsing: text, file: file) } catch {
            let all = ConfigurationFile.formErrors(in: text, file: file)
            if all.count > 1 { throw ContractErrors(all) }
            throw error
        }
    }
}
