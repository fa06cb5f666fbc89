import SparringAdmin
import SparringContract
import SparringEngine
import SparringTokens
import SparringVendors

/// A server without a port, for a command's own use. It calls nobody.
enum PrivateServer {
    static func make(_ resources: Resources, _ folder: ContractFolder) throws -> Server {
        var options = ServerOptions()
        options.version = sparringVersion
        options.contracts = resources.contracts
        options.scenarios = resources.scenarios
        options.engine.callsAbroad = false
        resources.shorten(&options)
        let keys = try KeyPool(folder: resources.keys)
        return try Server(options, contracts: folder.contracts, scenariosAreChecked: true) { try AllVendors.make($0, keys: keys) }
    }
}
