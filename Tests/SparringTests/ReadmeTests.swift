import Foundation
import Support
import Testing

/// README's own client, as its readers paste it.
@Suite(.fewAtATime) struct ReadmeTests {
    static func client(isMended: Bool) throws -> String {
        let text = try String(contentsOfFile: Repository.folder("README.md"), encoding: .utf8)
        let begin = try #require(text.firstRange(of: "```python\n"))
        let end = try #require(text[begin.upperBound...].firstRange(of: "```"))
        let code = String(text[begin.upperBound..<end.lowerBound])
        guard isMended else { return code }
        let mended = try #require(text.firstMatch(of: /Change the last line to `(.+?)`/)).1
        var lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        let last = try #require(lines.lastIndex { $0.contains("time.sleep") })
        lines[last] = "        " + mended
        return lines.joined(separator: "\n")
    }

    @Test func `the client fails, passes once it is mended, and is green in the plays that README names for CI`() async throws {
        let folder = try TemporaryFolder()
        let (first, mended) = (
            try folder.write(Self.client(isMended: false), to: "first.py"), try folder.write(Self.client(isMended: true), to: "client.py")
        )
        let one = ["run", "--scenario", "pusher-down-for-31s", "--time-scale", "0.1", "--", "python3"]
        let failed = try await sparring(one + [first], environment: [:])
        #expect(failed.status == 1 && failed.output.contains("FAIL backs-off-1-2-4-8-16s"), "\(failed)")
        let text = try String(contentsOfFile: Repository.folder("README.md"), encoding: .utf8)
        let line = try #require(text.firstMatch(of: /sparring (run --scenario 'pusher-\*' .*?) --junit/)).1.replacing("'", with: "")
        let words = line.split(separator: " ").map(String.init)
        let passed = try await sparring(words + ["--time-scale", "0.1", "--", "python3", mended], environment: [:])
        #expect(passed.status == 0, "\(passed)")
    }
}
