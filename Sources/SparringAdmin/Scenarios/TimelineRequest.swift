import SparringContract
import SparringEngine
import SparringJSON

/// A step of a timeline as the call of the admin API that it stands for.
struct TimelineRequest {
    /// Nil for a vendor's.
    let operation: AdminOperation?
    let request: OperationRequest

    var body: JSON { request.body }

    /// The operations that a step may use beside those of vendors: they change one sandbox. None ends it or moves its clock along, which
    /// the timeline itself follows, or answers with something that nobody would see.
    static let operations: [AdminOperation] = [
        .changeTenant, .rotateKeys, .setClock, .armFault, .removeFault, .clearFaults, .notifyDevice, .renewDeviceToken,
    ]

    /// - Parameters:
    ///   - contract: the engine's own part of the admin API.
    ///   - vendors: whose operations are written `vendor.operation`.
    ///   - place: of the step, for errors.
    init(
        _ step: Scenario.Step, of contract: Contract, _ vendors: Vendors, at place: JSONPointer
    ) throws(ConfigurationError) {
        let with = place.appending("with")
        if let (declared, handler) = Self.vendors(vendors, step.operation) {
            operation = nil
            request = try OperationRequest(declared, step.arguments, at: with)
            do throws(ConfigurationError) { try handler.check(request.body) } catch {
                throw ConfigurationError(error.pointer, "\(step.operation), \(error.message)").inside(with)
            }
            return
        }
        guard let operation = AdminOperation(rawValue: step.operation), Self.operations.contains(operation),
            let declared = contract.operation(step.operation)
        else {
            let nearest = Nearest.hint(for: step.operation, in: Self.all(contract, vendors).map(\.name))
            let own = Self.operations.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(
                place.appending("do"),
                "'\(step.operation)' is not an operation of a timeline\(nearest); there are \(own), and those that `sparring act` lists")
        }
        if operation == .armFault { try Self.requireFault(step.arguments, at: place) }
        self.operation = operation
        request = try OperationRequest(declared, step.arguments, at: with)
    }

    /// Says what is missing: the schema would speak of the two forms of a fault.
    private static func requireFault(_ arguments: JSON.Object, at place: JSONPointer) throws(ConfigurationError) {
        let example = "such as '*.Login.* token-expired times=2'"
        if arguments.isEmpty { throw ConfigurationError(place, "armFault needs 'fault' in its 'with', \(example)") }
        guard arguments["fault"]?.string?.isEmpty == true else { return }
        throw ConfigurationError(place.appending("with").appending("fault"), "the fault is empty; write one \(example)")
    }

    /// A vendor's operation that makes something happen.
    private static func vendors(_ vendors: Vendors, _ name: String) -> (ContractOperation, AdminHandler)? {
        let words = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard words.count == 2, let found = vendors[words[0]]?.adminOperation(words[1]),
            found.1.isAct
        else { return nil }
        return found
    }

    /// The operations that a step may call, by their names in a timeline.
    ///
    /// - Parameter contract: the engine's own part of the admin API.
    static func all(_ contract: Contract, _ vendors: Vendors) -> [(name: String, operation: ContractOperation)] {
        let own = operations.compactMap { contract.operation($0.rawValue) }.map { ($0.id, $0) }
        let offered = vendors.all.flatMap { $0.contract.admin?.operations ?? [] }.map { ($0.qualifiedName, $0) }
        return own + offered.filter { Self.vendors(vendors, $0.0) != nil }
    }
}
