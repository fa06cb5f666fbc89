import HTTPTypes
import SparringAdmin
import SparringContract
import SparringJSON
import SparringTestKit
import Support
import Testing

/// A vendor that differs from Sparring in ways that are known.
@Suite struct PlantedProbeTests {
    @Test func `twenty ways are named and nothing else, and with what is learnt of them the probe is clean`() async throws {
        let scripts = try PlantedVendor.scripts()
        try await PlantedVendor.run(PlantedVendor.tenants(of: scripts)) { vendor in
            var stage = try ProbeStage()
            (stage.faults, stage.patience, stage.learns) = (PlantedVendor.faults, .milliseconds(500), true)
            let before = try await stage.probe(scripts, at: vendor)
            let found = Set(Self.unfaithful(before).map { "\($0.meaning.rawValue) \($0.operation) \($0.place ?? "")" })
            let planted = Set(PlantedVendor.ways.flatMap(\.found))
            #expect(PlantedVendor.ways.count == 20 && found == planted, "\(found.symmetricDifference(planted).sorted())")
            #expect(before.noise.isEmpty && before.exitStatus == 1, "\(before.noise)")

            var proposals = try #require(before.proposals)
            proposals.add(try await Self.moved(vendor, stage))
            // As they are kept in a file.
            let accepted = try Proposals(proposals.json).all
            let overlays = try Proposals.documents(of: accepted).map { document in
                try Overlay(parsing: Proposals.overlay(of: document, accepted, version: "test"), file: document)
            }
            let settings = try #require(Proposals.configuration(accepted))
            let configured = try ConfigurationFile(parsing: settings, file: "settings.yaml").tenants
            let shipped = stage.cast.contracts
            stage.cast = try Cast(folder: Cast.folder, overlays: overlays, make: stage.cast.make)
            let corrected = try scripts.map { try $0.with(configured).moved(from: shipped, to: stage.cast.contracts) }
            let after = try await stage.probe(corrected, at: vendor)
            #expect(after.exitStatus == 0, "\(Self.unfaithful(after).map(\.json.text)), after \(accepted.map(\.words))")
            #expect(after.proposals?.all.isEmpty == true, "\(after.proposals?.json.text ?? "")")
        }
    }

    private static func unfaithful(_ report: ProbeReport) -> [ProbeFinding] { report.findings.filter { $0.meaning != .faithful } }

    /// The proposals from the traffic of a client that knows the new path.
    private static func moved(_ vendor: TestServer, _ stage: ProbeStage) async throws -> Proposals {
        let path = "/v2/.well-known/apple-app-site-association"
        let answer = try await vendor.send(.get, path)
        let archive = try Archive(["log": ["entries": [Traffic.call(.get, "http://localhost\(path)", answer.status, answer.body)]]])
        return try await stage.learn(archive).proposals
    }
}
