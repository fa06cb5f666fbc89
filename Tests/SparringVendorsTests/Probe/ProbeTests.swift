import Foundation
import SparringAdmin
import SparringJSON
import Support
import Testing

/// Probes whose vendor is another Sparring.
@Suite struct ProbeTests {
    @Test(arguments: TranscriptTests.all) func `Sparring is as Sparring is`(_ name: String) async throws {
        let text = try String(contentsOfFile: TranscriptTests.folder + "/\(name)", encoding: .utf8)
        let script = try ProbeScript(name: String(name.dropLast(4)), Transcript(text))
        let report = try await TestServer.run(.socket, clock: nil, tenants: script.tenants) { server in
            try await ProbeStage().probe([script], at: server)
        }
        let unfaithful = report.findings.filter { $0.meaning != .faithful }
        #expect(unfaithful.isEmpty, "\(unfaithful.map(\.json.text).joined(separator: "\n"))")
        #expect(report.exitStatus == 0 && report.left.isEmpty, "\(report.left)")
    }
}
