public import HTTPTypes
public import SparringJSON

/// The stubs that a tenant's configuration has, beside its vendor's contract.
public struct DefinedStubs: Sendable {
    /// In the configuration's order.
    public let operations: [ContractOperation]
    /// The names of the answers that stubs of the contract give here, by the stubs' ids.
    public let choices: [String: String]
    private let routes: Routes?

    public static let none = DefinedStubs()

    private init() { (operations, choices, routes) = ([], [:], nil) }

    /// - Parameter configured: by the operations' ids.
    /// - Throws: ``ConfigurationError`` at the member that is wrong.
    public init(_ configured: JSON.Object, beside contract: Contract) throws(ConfigurationError) {
        var choices: [String: String] = [:]
        var paths = JSON.Object()
        for (id, json) in configured {
            do throws(ConfigurationError) {
                if let answer = json["answer"]?.string {
                    choices[id] = try Self.choice(answer, of: id, json, contract)
                } else {
                    try Self.add(try DefinedStub(id: id, json), to: &paths, beside: contract)
                }
            } catch { throw error.inside([id]) }
        }
        self.choices = choices
        guard !paths.isEmpty else {
            (operations, routes) = ([], nil)
            return
        }
        do throws(ContractError) {
            let own = try Self.contract(paths, vendor: contract.vendor)
            operations = own.operations
            routes = try Routes([own])
        } catch { throw ConfigurationError(.root, error.message) }
    }

    private static func add(_ stub: DefinedStub, to paths: inout JSON.Object, beside contract: Contract) throws(ConfigurationError) {
        if let known = contract.operation(stub.id), !stub.call.isOf(known) {
            throw ConfigurationError(
                ["call"],
                "the contract has an operation \(known.qualifiedName), which is \(known.method) \(known.pathTemplate): a stub of another call has another name"
            )
        }
        let item: JSON = .object([stub.call.method.lowercased(): try stub.operation(tag: tag)])
        // By itself, so that what is wrong has its place.
        do throws(ContractError) { _ = try Self.contract([stub.call.path: item], vendor: contract.vendor) } catch {
            throw ConfigurationError(.root, error.message)
        }
        // What follows the # only distinguishes two keys of one path.
        paths["\(stub.call.path)#\(stub.id)"] = item
    }

    private static func choice(_ answer: String, of id: String, _ json: JSON, _ contract: Contract) throws(ConfigurationError) -> String {
        if let other = json.object?.keys.first(where: { $0 != "answer" }) {
            throw ConfigurationError([other], "a stub has either 'answer', for one that the contract declares, or 'call' and what it gets")
        }
        guard let operation = contract.operation(id), operation.stub != nil else {
            let stubs = contract.operations.filter { $0.stub != nil }.map(\.id)
            throw ConfigurationError(
                ["answer"], "no stub of the contract is '\(id)'\(Nearest.hint(for: id, in: stubs)): a new one has a 'call'")
        }
        guard operation.answer(answer) != nil else {
            throw ConfigurationError(
                ["answer"],
                "\(operation.qualifiedName) has no answer '\(answer)'\(Nearest.hint(for: answer, in: operation.answers.map(\.name)))")
        }
        return answer
    }

    private static let tag = "Stubs"

    private static func contract(_ paths: JSON.Object, vendor: String) throws(ContractError) -> Contract {
        let document: JSON = [
            "openapi": "3.1.0", "info": ["title": "Stubs", "version": "1"], "tags": [["name": .string(tag)]], "paths": .object(paths),
        ]
        return try Contract(parsing: document.text, file: "stubs of \(vendor)", vendor: vendor)
    }

    /// The stub that a call is for.
    public func match(method: HTTPRequest.Method, target: String) -> (operation: ContractOperation, parameters: PathParameters)? {
        guard case .found(let operation, let parameters)? = routes?.match(method: method, target: target, host: nil) else { return nil }
        return (operation, parameters)
    }
}
