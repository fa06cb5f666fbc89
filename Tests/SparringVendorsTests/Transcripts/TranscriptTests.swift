import Foundation
import SparringAdmin
import HTTPTypes
import SparringJSON
import Support
import Testing

/// The flows of the vendors' SDKs on the wire: `fixtures/transcripts/<vendor>/<flow>.txt`. `make transcripts` records them again.
@Suite struct TranscriptTests {
    static let folder = Repository.folder("fixtures/transcripts")
    /// Relative to the folder.
    static let all: [String] = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".txt") }.sorted()
    private static let isRecording = ProcessInfo.processInfo.environment["SPARRING_RECORD"] != nil

    @Test(.enabled(if: !isRecording), arguments: all, TestServer.Speed.allCases)
    func `what was recorded comes again`(_ name: String, _ speed: TestServer.Speed) async throws {
        let recorded = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
        let played = try await Self.play(recorded, speed, isRecording: false)
        guard played != recorded else { return }
        let (old, new) = (
            recorded.split(separator: "\n", omittingEmptySubsequences: false),
            played.split(separator: "\n", omittingEmptySubsequences: false)
        )
        let index = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        Issue.record(
            """
            \(name):\(index + 1), at \(speed):
              recorded: \(index < old.count ? old[index] : "(end)")
              played:   \(index < new.count ? new[index] : "(end)")
            """)
    }

    /// LivePerson's are excerpts, and some show what an app should not do; the others' are whole.
    @Test(.enabled(if: !isRecording), arguments: all.filter { !$0.hasPrefix("liveperson/") })
    func `whole flows break no rule`(_ name: String) async throws {
        let transcript = try Transcript(try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8))
        try await TestServer.run(.pipeline, tenants: transcript.tenants.object ?? [:]) { server in
            _ = try await TranscriptPlayer(server, isRecording: false).play(transcript)
            let judged = Judged(try await server.admin(.post, "verdicts", ["timeBasis": "sandbox"]))
            #expect(judged.broken.isEmpty, "\(name) breaks\(judged.words(judged.broken))")
            #expect(!judged.passed.isEmpty, "\(name) exercises no rule")
        }
    }

    @Test(.enabled(if: isRecording), arguments: all)
    func `transcripts are recorded`(_ name: String) async throws {
        let path = "\(Self.folder)/\(name)"
        let played = try await Self.play(try String(contentsOfFile: path, encoding: .utf8), .socket, isRecording: true)
        try played.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func play(_ text: String, _ speed: TestServer.Speed, isRecording: Bool) async throws -> String {
        let transcript = try Transcript(text)
        return try await TestServer.run(speed, tenants: transcript.tenants.object ?? [:]) { server in
            try await TranscriptPlayer(server, isRecording: isRecording).play(transcript)
        }
    }
}
