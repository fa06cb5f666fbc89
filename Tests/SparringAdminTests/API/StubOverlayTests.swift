import BirdSupport
import SparringContract
import SparringJSON
import Support
import Testing

/// The overlay with which a contract has a sandbox's stubs.
@Suite struct StubOverlayTests {
    private func contract(_ overlay: String? = nil) throws -> Contract {
        let folder = try Aviary.Contracts().folder()
        defer { withExtendedLifetime(folder) {} }
        let overlays = try overlay.map { [try Overlay(parsing: $0, file: "ours.yaml")] } ?? []
        let read = try ContractFolder(path: folder.path, overlays: overlays)
        #expect(read.warnings.isEmpty)
        return try #require(read.contracts.first { $0.vendor == "parrot" })
    }

    /// A stub, and of the operation that its overlay makes: the name, whether the path names the tenant, and the names of its answers.
    @Test(
        arguments: [
            (["call": "POST /scales", "status": 201, "headers": ["Location": "/scales/1"]], "postScales", false, ["stub"]),
            (
                ["call": "GET /parrot/flocks/{flock}/perches", "body": ["on": true, "off": "no", "n": "1.0", "t": "a\nb", "q": "it's"]],
                "getParrotFlocksPerches", true, ["stub"]
            ),
            (["call": "GET /scales?kind=big", "body": "{$sandbox.uuid}"], "getScales", false, ["stub"]),
        ] as [(JSON, String, Bool, [String])])
    func `an overlay makes the stub an operation of the contract`(_ stub: JSON, _ name: String, _ hasTenant: Bool, _ answers: [String])
        throws
    {
        let form = try StubForm(stub)
        let overlay = try form.overlay(of: try contract())
        let operation = try #require(try contract(overlay).operation(name), "\(overlay)")
        #expect(operation.stub?.answer == "stub" && operation.answers.map(\.name) == answers)
        #expect(operation.tenant.isEmpty != hasTenant)
        #expect(operation.answers.first?.example == stub["body"], "\(overlay)")
        #expect(operation.query == (stub["call"]?.string?.contains("?") == true ? ["kind": "big"] : [:]))
    }

    @Test func `an operation that is there becomes a stub`() throws {
        let form = try StubForm(["call": "GET /parrot/flocks/{flock}/birds", "status": 200, "body": ["birds": []]])
        let before = try #require(try contract().operation("listBirds"))
        let operation = try #require(try contract(form.overlay(of: try contract())).operation("listBirds"))
        #expect(operation.stub?.answer == "stub" && operation.answers.count == before.answers.count + 1)
    }

    @Test func `all the stubs of a tenant are in one overlay, but for chosen answers`() throws {
        let stubs: JSON.Object = [
            "one": ["call": "GET /one"], "two": ["call": "GET /two", "status": 204], "findBird": ["answer": "bird-unknown"],
        ]
        let overlay = try StubOverlay(stubs, of: try contract())
        let changed = try contract(overlay.text)
        #expect(!overlay.isEmpty && changed.operation("one") != nil && changed.operation("two")?.answers.first?.status == 204)
        #expect(try StubOverlay(["findBird": ["answer": "bird-unknown"]], of: try contract()).isEmpty)
    }
}
