import Foundation
import SparringJournal
import Support
import Testing

@testable import SparringSandbox

/// Calls that could not be written are remembered until they are in the journal.
@Suite struct UnrecordedCallsTests {
    private func unrecorded(_ seconds: Int64, _ reason: String = "full") -> Unrecorded {
        Unrecorded(reason, at: Timestamp(seconds: seconds))
    }

    @Test func `a file beside the database has it while there is something`() async throws {
        try await TemporaryFolder.database { path in
            let calls = UnrecordedCalls(beside: path)
            #expect(!FileManager.default.fileExists(atPath: path + "-unrecorded"))
            for second in 1...3 { calls.add(unrecorded(Int64(second)), of: "a") }
            calls.add(unrecorded(9, "broken"), of: "b")
            let read = UnrecordedCalls.read(beside: path)
            #expect(read["a"] == calls.of("a") && read["b"] == calls.of("b") && read.count == 2)
            #expect(read["a"]?.count == 3 && read["a"]?.first == Timestamp(seconds: 1) && read["a"]?.last == Timestamp(seconds: 3))
            let mode = try FileManager.default.attributesOfItem(atPath: path + "-unrecorded")[.posixPermissions] as? Int
            #expect(mode == 0o600)
            calls.settle("a", read["a"])
            #expect(UnrecordedCalls.read(beside: path).keys.sorted() == ["b"])
            calls.settle("b", nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-unrecorded"))
            #expect(calls.total == 4)
        }
    }

    @Test func `what comes while it is being written stays`() {
        let calls = UnrecordedCalls(beside: nil)
        calls.add(unrecorded(1), of: "a")
        let written = calls.of("a")
        calls.add(unrecorded(2), of: "a")
        calls.settle("a", written)
        #expect(calls.of("a")?.count == 1 && calls.of("a")?.first == Timestamp(seconds: 1))
    }

    @Test(arguments: ["", "{", "[]", #"{"sandboxes": 1}"#, "\u{0}\u{0}"])
    func `a file that cannot be read concerns every sandbox`(_ text: String) async throws {
        try await TemporaryFolder.database { path in
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "-unrecorded"))
            let calls = UnrecordedCalls(beside: path)
            calls.keepOnly(["a", "b"])
            #expect(calls.of("a")?.reason == "\(path)-unrecorded cannot be read" && calls.of("b")?.count == 1)
            calls.settle("a", nil)
            calls.settle("b", nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-unrecorded"))
        }
    }

    @Test func `sandboxes that are gone are forgotten`() async throws {
        try await TemporaryFolder.database { path in
            UnrecordedCalls(beside: path).add(unrecorded(1), of: "gone")
            let calls = UnrecordedCalls(beside: path)
            calls.keepOnly(["a"])
            #expect(calls.of("gone") == nil && calls.of("a") == nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-unrecorded"))
        }
    }

    @Test func `the words say how many, when and why`() {
        #expect(unrecorded(0).words == "a call or event at 1970-01-01T00:00:00.000Z could not be recorded: full")
        #expect(
            unrecorded(0).adding(unrecorded(2, "broken")).words
                == "2 calls or events from 1970-01-01T00:00:00.000Z to 1970-01-01T00:00:02.000Z could not be recorded: broken")
    }
}
