import Testing

@testable import SparringVerdict

/// Limits on the sandbox's clock that a client on the machine's clock cannot keep, because the sandbox's runs faster.
@Suite struct FastClockTests {
    private static let idle =
        "0 call openConsumerSocket ada 101 socket-opened socket=1\n65 end openConsumerSocket ada by=server cause=idle socket=1"

    @Test(
        arguments: [
            (.wall, 1, 20, .excused), (.wall, 0.1, 20, .excused), (.wall, 2, 1, .excused), (.wall, 1, 1, .fail), (.wall, 1, 0, .fail),
            (.wall, 0.05, 20, .fail), (.wall, 1.0 / 3, 3, .fail), (.wall, 0.333, 3.01, .fail), (.wall, 1, 0.5, .fail),
            (.sandbox, 1, 20, .fail), (.sandbox, 1, 1, .fail),
        ] as [(TimeBasis, Double, Double, Verdict.Result)])
    func `are held against a client whose clock is as fast`(_ basis: TimeBasis, _ scale: Double, _ rate: Double, _ result: Verdict.Result)
        throws
    {
        let verdict = try Trial.judgeShipped(
            "keeps-the-socket-alive", Self.idle, until: 100, timing: Timing(basis: basis, scale: scale), rate: rate)
        #expect(verdict.result == result, "\(verdict.summary)")
    }

    @Test(
        arguments: [
            (1, 20, "20 times", "at most 1 "), (0.1, 20, "2 times", "at most 10 "), (1, 1.5, "1.5 times", "at most 1 "),
        ] as [(Double, Double, String, String)])
    func `are excused with the way out`(_ scale: Double, _ rate: Double, _ speed: String, _ most: String) throws {
        let words = try Trial.judgeShipped(
            "keeps-the-socket-alive", Self.idle, until: 100, timing: Timing(basis: .wall, scale: scale), rate: rate
        ).summary
        #expect(
            words
                == "the end of socket 1 without a close frame was excused: it came of a limit on the sandbox's clock, which runs \(speed) as "
                + "fast as the client's, so the client could not know: run with a rate of \(most)to have it judged, "
                + "or with --time-basis sandbox if the client's timers sleep on the sandbox's clock")
    }

    @Test(
        arguments: [
            ("keeps-the-socket-alive", idle, nil, .fail),
            (
                "bot-keeps-its-socket-alive",
                "0 call openAgentSocket bot 101 socket-opened socket=1\n65 end openAgentSocket bot by=server cause=idle socket=1", nil,
                .advice
            ),
            (
                "keeps-the-gateway-alive",
                "0 call cxone.openGateway c 101 socket-opened socket=1\n65 end cxone.openGateway c by=server cause=idle socket=1", nil,
                .fail
            ),
            ("renews-an-expired-visit", "0 call cxone.reportVisitorEvent c 200 finding=visit-expired", "ios", .advice),
            (
                "sends-with-a-token-that-holds",
                #"0 call cxone.sendMessage c 200 access-token-expired body={"payload":{"data":{"accessToken":{"token":"t"}}}}"#,
                nil, .advice
            ),
            (
                "signs-assertions-that-hold", #"0 call talkdesk.issueToken b 401 assertion-expired body={"client_assertion":"a"}"#,
                nil, .fail
            ),
            (
                "signs-assertions-that-hold", #"0 call talkdesk.issueToken b 401 assertion-malformed body={"client_assertion":"a"}"#,
                nil, nil
            ),
        ] as [(String, String, String?, Verdict.Result?)])
    func `are those of each rule that time alone can break`(
        _ rule: String, _ story: String, _ platform: String?, _ broken: Verdict.Result?
    ) throws {
        func result(_ rate: Double) throws -> Verdict.Result {
            try Trial.judgeShipped(rule, story, until: 100, platform: platform, timing: Timing(basis: .wall), rate: rate).result
        }
        #expect(try result(1) == broken ?? .fail)
        #expect(try result(20) == (broken == nil ? .fail : .excused))
    }
}
