import HTTPTypes
import SparringContract
import Support
import Testing

@testable import sparring

/// What the command line and assistants call, held to `contracts/admin.openapi.yaml`.
struct AdminCallTests {
    private static func operations() throws -> [String: ContractOperation] {
        let folder = try ContractFolder(path: Repository.folder("contracts"), vendors: ["admin"])
        return Dictionary(uniqueKeysWithValues: folder.contracts.flatMap(\.operations).map { ($0.id, $0) })
    }

    @Test func `every call has the method and the path of its operation`() throws {
        let operations = try Self.operations()
        for call in AdminCall.allCases {
            let declared = operations["\(call)"].map { "\($0.method.rawValue) \($0.pathTemplate)" }
            #expect(call.rawValue == declared, "\(call)")
        }
    }

    @Test func `every tool of the contract can be called`() throws {
        let declared = Set(try Self.operations().values.compactMap { $0.tool?.name })
        #expect(declared.count > 10)
        let callable = try MCPTool.all(in: Repository.folder("contracts")).map(\.name)
        #expect(Set(callable) == declared)
    }
}
