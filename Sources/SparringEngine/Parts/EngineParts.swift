import GRDB
package import SparringContract
package import SparringSandbox

/// The parts that an engine is made of and that the host of its operations may use: all but the pipeline, which comes after both.
package struct EngineParts: Sendable {
    let options: EngineOptions
    package let contracts: [Contract]
    let routes: Routes
    package let vendors: Vendors
    package let store: Store
    package let world: World
    package let faultReader: FaultReader
    package let unplaced: Unplaced
    package let metrics = Metrics()

    /// Opens the database and takes up what an earlier process left in it. A caller that makes no engine of this closes the store.
    ///
    /// - Parameters:
    ///   - vendors: makes the vendors, given their contracts by name.
    ///   - hostName: whose contract is no vendor's.
    /// - Throws: ``ContractError`` where contracts and vendors do not fit; ``ToolError`` and GRDB's errors for the database.
    package init(
        _ options: EngineOptions, contracts: [Contract], vendors make: ([String: Contract]) throws -> [any Vendor], hostName: String
    ) throws {
        self.options = options
        self.contracts = contracts
        let made = try make(Dictionary(uniqueKeysWithValues: contracts.map { ($0.vendor, $0) }))
        vendors = Vendors(all: try Self.entries(made, contracts, hostName: hostName))
        routes = try Routes(contracts)
        var migrator = DatabaseMigrator()
        Schema.register(in: &migrator)
        for vendor in made { vendor.registerMigrations(in: &migrator) }
        store = try Store(path: options.database, durability: options.durability, migrator: migrator, prepare: options.prepareDatabase)
        faultReader = FaultReader(vendors.all.map(\.contract))
        do {
            world = try World(
                parties: vendors.all, store: store, faultReader: faultReader, journal: options.journal, node: options.node,
                notice: options.notice)
        } catch {
            // What is opened has an owner, who must let go of it where this comes to nothing.
            try? store.close()
            throw error
        }
        unplaced = Unplaced(store: store, process: world.process)
    }

    private static func entries(_ made: [any Vendor], _ contracts: [Contract], hostName: String) throws -> [VendorEntry] {
        for contract in contracts where contract.vendor != hostName && !made.contains(where: { $0.name == contract.vendor }) {
            throw ContractError(file: contract.file, message: "this build has no vendor '\(contract.vendor)'")
        }
        return try made.map { vendor in
            guard let contract = contracts.first(where: { $0.vendor == vendor.name }) else {
                throw ToolError("there is no contract \(vendor.name).openapi.yaml", .unreadable)
            }
            return try VendorEntry(vendor, contract: contract)
        }
    }
}
