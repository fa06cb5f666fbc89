import Foundation
import SparringContract
import Testing

struct ContractLoadTests {
    @Test func `A directory's contracts are read in the order of their names`() throws {
        let directory = try Directory()
        try directory.write(Sample.text, to: "zeta.openapi.yaml")
        try directory.write(Sample.text, to: "alpha-2.openapi.yaml")
        try directory.write("not: a contract", to: "alpha.yaml")
        let contracts = try Contract.load(directory: directory.path)
        #expect(contracts.map(\.vendor) == ["alpha-2", "zeta"])
        #expect(contracts.map(\.file) == ["\(directory.path)/alpha-2.openapi.yaml", "\(directory.path)/zeta.openapi.yaml"])
    }

    @Test func `A vendor's messages are read with its calls`() throws {
        let directory = try Directory()
        try directory.write(SampleMessages.calls, to: "sample.openapi.yaml")
        try directory.write(SampleMessages.text, to: "sample.asyncapi.yaml")
        let contract = try #require(try Contract.load(directory: directory.path + "/").first)
        #expect(contract.channels.map(\.name) == ["talk"])
        #expect(contract.operation("say")?.file == directory.path + "/sample.asyncapi.yaml")
    }

    @Test func `Messages of a vendor without calls are an error`() throws {
        let directory = try Directory()
        try directory.write(Sample.text, to: "sample.openapi.yaml")
        try directory.write(SampleMessages.text, to: "simple.asyncapi.yaml")
        let error = #expect(throws: ContractError.self) { try Contract.load(directory: directory.path) }
        #expect(error?.description == "\(directory.path)/simple.asyncapi.yaml: there is no simple.openapi.yaml beside it")
    }

    @Test func `A missing directory is named`() {
        let error = #expect(throws: ContractError.self) { try Contract.load(directory: "/nowhere/contracts") }
        #expect(error?.description.hasPrefix("/nowhere/contracts: cannot read this directory of contracts: ") == true)
    }

    @Test func `A directory without contracts is an error`() throws {
        let directory = try Directory()
        let error = #expect(throws: ContractError.self) { try Contract.load(directory: directory.path) }
        #expect(error?.description == "\(directory.path): holds no contract (no file *.openapi.yaml)")
    }

    @Test func `A file that is not UTF-8 is an error`() throws {
        let directory = try Directory()
        try Data([0x61, 0xFF]).write(to: URL(filePath: directory.path + "/x.openapi.yaml"))
        let error = #expect(throws: ContractError.self) { try Contract.load(directory: directory.path) }
        #expect(error?.description == "\(directory.path)/x.openapi.yaml: is not UTF-8")
    }

    @Test func `A file's name is a vendor's name`() throws {
        let directory = try Directory()
        try directory.write(Sample.text, to: "Live.Person.openapi.yaml")
        let error = #expect(throws: ContractError.self) { try Contract.load(directory: directory.path) }
        #expect(error?.message == "vendor 'Live.Person' does not match [a-z][a-z0-9-]*")
    }

    /// A directory that goes when the test does.
    private final class Directory {
        let path = NSTemporaryDirectory() + "sparring-contracts-" + UUID().uuidString

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, to name: String) throws {
            try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
        }
    }
}
