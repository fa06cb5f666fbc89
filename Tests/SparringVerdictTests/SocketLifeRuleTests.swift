import Testing

@testable import SparringVerdict

/// Rules about sockets that a client keeps open, which a short run does not exercise.
@Suite struct SocketLifeRuleTests {
    private static let open = "0 call openConsumerSocket ada 101 socket-opened socket=1"

    @Test(
        arguments: [
            ("", 5, 1, .notExercised), ("", 100, 1, .pass), ("", 7, 0.1, .pass), ("", 5, 0.1, .notExercised),
            ("5 end openConsumerSocket ada code=1000 by=client socket=1", 100, 1, .notExercised),
            ("61 end openConsumerSocket ada code=1000 by=client socket=1", 100, 1, .pass),
            ("65 end openConsumerSocket ada by=server cause=idle socket=1", 100, 1, .fail),
            (
                "30 end openConsumerSocket ada code=1006 by=failure socket=1\n31 call openConsumerSocket ada 101 socket-opened socket=2",
                70,
                1, .notExercised
            ),
        ] as [(String, Double, Double, Verdict.Result)])
    func `a socket is kept alive where it stays open for a minute`(
        _ rest: String, _ end: Double, _ scale: Double, _ result: Verdict.Result
    ) throws {
        let verdict = try Trial.judgeShipped(
            "keeps-the-socket-alive", "\(Self.open)\n\(rest)", until: end, timing: Timing(basis: .wall, scale: scale))
        #expect(verdict.result == result, "\(verdict.summary)")
        if result == .notExercised { #expect(verdict.summary.hasSuffix("and a socket that stays open for 60 s"), "\(verdict.summary)") }
    }

    @Test(arguments: ["reconnects-with-the-same-token", "catches-up-after-reconnecting", "publishes-what-was-lost", "reconnects"])
    func `who signs out after a socket was lost is excused from all that would have followed`(_ rule: String) throws {
        let verdict = try Trial.judgeShipped(
            rule,
            """
            \(Self.open)
            1 call subscribeEvents ada 200 events-subscribed socket=1
            2 call publishText ada lost body={"body":{"dialogId":"d","event":{"message":"m"}}}
            3 end openConsumerSocket ada code=1006 by=failure socket=1
            3.2 call unregisterPush ada 204 push-unregistered
            """, until: 300)
        #expect(verdict.result == .excused, "\(verdict.summary)")
    }
}
