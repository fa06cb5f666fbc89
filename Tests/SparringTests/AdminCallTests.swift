import HTTPTypes
import SparringContract
import SparringJSON
import Support
import Testing

@testable import sparring

/// The calls of the command line and of assistants, held to `contracts/admin.openapi.yaml`.
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

    @Test(
        arguments: [
            ("create_sandbox", ["scenario": "pusher-down-for-31s", "seed": 7, "clock": "frozen"], []),
            ("create_sandbox", ["scenaro": "x"], ["create_sandbox has no argument 'scenaro' (did you mean 'scenario'?)"]),
            ("list_scenarios", ["zzzzzzzz": 1], ["list_scenarios has no argument 'zzzzzzzz'; it takes words"]),
            ("read_scenario", [:], ["scenario is missing: The scenario's name."]),
            ("create_sandbox", ["clock": "rate"], ["clock: 'rate' is not one of 'real', 'frozen'"]),
            ("plan_chaos", ["lanes": "alice"], ["lanes: expected array, found string"]),
            ("delete_sandbox", [:], ["sandbox is missing: The sandbox's id."]),
            (
                "set_clock", ["mode": "frozen", "sandbox": "No Such"],
                ["sandbox: 'No Such' is not a name of lower-case letters, digits and hyphens, such as shop-2"]
            ),
        ] as [(String, JSON, [String])])
    func `what is wrong with a tool's arguments is said in words`(_ name: String, _ arguments: JSON, _ complaints: [String]) throws {
        let tool = try #require(try MCPTool.all(in: Repository.folder("contracts")).first { $0.name == name })
        #expect(tool.complaints(about: arguments) == complaints)
    }
}
