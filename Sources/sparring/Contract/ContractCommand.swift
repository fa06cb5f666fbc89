import ArgumentParser
import SparringContract
import SparringJSON

/// `sparring contract`
struct ContractCommand: WordedCommand {
    static let abstract = "Look at the vendors' contracts, and check changes of them."
    static var subcommands: [any ParsableCommand.Type] { [List.self, Show.self, Lint.self, Coverage.command, Export.self] }

    /// Which contracts are looked at; none of these commands needs a server.
    struct Source: ParsableArguments {
        @Option(help: "Folder of the contracts. Default: the one that came with this binary.") var contracts: String?
        @OptionGroup var overlays: OverlayOptions

        /// Their folder, after the overlays, whose useless actions are said.
        func folder() throws -> ContractFolder {
            let folder = try ContractFolder(path: try path, overlays: try overlays.read())
            OverlayOptions.complain(of: folder)
            return folder
        }

        var path: String { get throws { try Resources.locate(contracts: contracts).contracts } }
    }
}

/// An operation, or a message that the vendor sends, as the commands name it.
struct ContractPoint {
    let vendor: String
    let id: String
    let tag: String
    /// `POST /path`, or how a message goes on its channel.
    let way: String
    let fidelity: Fidelity
    let operation: ContractOperation?
    let message: ContractMessage?

    var name: String { "\(vendor).\(id)" }

    static func all(of contracts: [Contract]) -> [ContractPoint] {
        contracts.flatMap { contract in
            let whole = contract.operations + (contract.admin?.operations ?? [])
            let operations = whole.map { operation in
                ContractPoint(
                    vendor: contract.vendor, id: operation.id, tag: operation.tag,
                    way: operation.channel.map { "→ channel \($0)" } ?? "\(operation.method) \(operation.pathTemplate)",
                    fidelity: operation.fidelity, operation: operation, message: nil)
            }
            let messages = contract.channels.flatMap(\.sent).map { message in
                ContractPoint(
                    vendor: contract.vendor, id: message.id, tag: message.tag, way: "← channel \(message.channel)",
                    fidelity: message.fidelity, operation: nil, message: message)
            }
            return operations + messages
        }
    }
}
