import SparringJSON
import SparringVerdict
import Testing

/// Runs of clients written by others that the shipped rules once judged wrongly: good ones that were failed, bad ones that passed. The names are
/// those of the reviews.
@Suite struct ReviewedRunTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: String
        var story: String
        var end: Double
        var result: Verdict.Result
        var policies: JSON.Object = [:]
        var platform: String?

        init(
            _ name: String, _ rule: String, _ result: Verdict.Result, until end: Double = 200, policies: JSON.Object = [:],
            platform: String? = nil,
            _ lines: String...
        ) {
            (testDescription, self.rule, self.result, self.end) = (name, rule, result, end)
            (self.policies, self.platform) = (policies, platform)
            story = lines.joined(separator: "\n")
        }
    }

    static func failures(_ call: String, at times: [Double], _ rest: String = "503 unavailable") -> String {
        times.map { "\($0) call \(call) ada \(rest)" }.joined(separator: "\n")
    }

    static let backOff = "backs-off-1-2-4-8-16s"
    static let signIns = "backs-off-its-sign-ins"
    static let socket = "0 call openConsumerSocket ada 101 socket-opened socket=1 auth=t1"
    static let bot = "0 call openAgentSocket bot 101 socket-opened socket=1"
    /// A socket whose token comes in its first message.
    static func inline(_ number: Int, at time: Double = 0, _ token: String = "t1") -> String {
        """
        \(time) call openConsumerSocket ada 101 socket-opened socket=\(number)
        \(time + 0.1) call initConnection ada 200 connection-initialized socket=\(number) body={"headers":[{"type":"x"},{"jwt":"\(token)"}]}
        """
    }
    static let pageA = #"body={"entryPoints":["a"]}"#
    static let pageB = #"body={"entryPoints":["b"]}"#
    static let device = #"body={"deviceToken":"d"} path=/registrations/app"#

    @Test(arguments: good + bad)
    func `a run that was once judged wrongly is judged rightly`(_ row: Case) throws {
        let verdict = try Trial.judgeShipped(row.rule, row.story, until: row.end, policies: row.policies, platform: row.platform)
        #expect(verdict.result == row.result, "\(verdict.summary)")
    }
}
