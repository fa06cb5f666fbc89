import Foundation
package import SparringContract
package import SparringEngine
import SparringSandbox
import SparringTokens
import SparringVendors
package import SparringVerdict

/// The things that a server serves: contracts, the vendors that behave according to them, and the rules for their clients.
///
/// Read once for many servers: a suite may start a thousand.
package struct Cast: Sendable {
    package var contracts: [Contract]
    package var behaviours: Behaviours
    package var make: @Sendable ([String: Contract]) throws -> [any Vendor]

    /// - Parameters:
    ///   - folder: of the contracts and the rules.
    ///   - overlays: changes of the contracts.
    /// - Throws: `ContractError` with file and place.
    package init(folder: String, overlays: [Overlay] = [], make: @escaping @Sendable ([String: Contract]) throws -> [any Vendor]) throws {
        contracts = try ContractFolder(path: folder, overlays: overlays).contracts
        behaviours = try Behaviours(
            folder: folder, contracts: contracts.filter { $0.vendor != "admin" }, effects: FaultVocabulary.words)
        self.make = make
    }

    /// All vendors that Sparring has.
    package static let shipped = Result { try Cast(folder: folder) { try vendors($0) } }

    package static let folder = home.appendingPathComponent("contracts").path
    /// The files of the live page.
    package static let page = home.appendingPathComponent("Sources/SparringAdmin/Page/files").path
    /// The checkout that this library was built in.
    static let home = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func vendors(_ contracts: [String: Contract], only wanted: Set<String>? = nil) throws -> [any Vendor] {
        try AllVendors.make(contracts, keys: keys.get(), only: wanted)
    }

    private static let keys = Result { try KeyPool(folder: home.appendingPathComponent("fixtures/keys").path) }
}
