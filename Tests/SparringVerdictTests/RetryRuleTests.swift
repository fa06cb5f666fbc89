import SparringVerdict
import Testing

/// Back-off schedules.
@Suite struct RetryRuleTests {
    private static let rule = """
        retry:
          of: [liveperson.registerPush, liveperson.readUnread]
          schedule: [1s, 2s, 4s, 8s, 16s]
        """

    /// A story of one operation's attempts: at which seconds, all of them refused but the last where it is good.
    private func attempts(_ times: [Double], isGood: Bool = false) -> String {
        times.enumerated().map { index, time in
            "\(time) call registerPush ada " + (isGood && index == times.count - 1 ? "201 push-registered" : "503 unavailable")
        }.joined(separator: "\n")
    }

    @Test(
        arguments: [
            ([0, 1], true, 2, .pass, "done once"),
            ([0, 1, 3, 7, 15, 31], true, 31, .pass, "done once"),
            ([0, 1, 3, 7, 15, 31], false, 70, .pass, "done once"),
            // A fifth early, half as much late, or 25 ms where that is more.
            ([0, 1.5, 4.5], true, 4, .pass, "done once"), ([0, 0.8, 2.4], true, 4, .pass, "done once"),
            (
                [0, 1.51], true, 2, .fail,
                "attempt 2 of liveperson.registerPush (ada) came 1.5 s after attempt 1; due after 1.0 s (800 ms to 1.5 s)"
            ),
            (
                [0, 0.79], true, 2, .fail,
                "attempt 2 of liveperson.registerPush (ada) came 790 ms after attempt 1; due after 1.0 s (800 ms to 1.5 s)"
            ),
            (
                [0, 0], true, 2, .fail,
                "attempt 2 of liveperson.registerPush (ada) came 0 ms after attempt 1; due after 1.0 s (800 ms to 1.5 s)"
            ),
            // Linear: the third comes early, and what follows.
            (
                [0, 1, 2, 3], true, 4, .fail,
                "attempt 3 of liveperson.registerPush (ada) came 1.0 s after attempt 2; due after 2.0 s (1.6 s to 3.0 s) (and 1 more)"
            ),
            // One too many.
            (
                [0, 1, 3, 7, 15, 31, 63], true, 64, .fail,
                "attempt 7 of liveperson.registerPush (ada) came 32.0 s after attempt 6, when no more attempts are allowed"
            ),
            // Gave up, and was watched long enough to tell.
            (
                [0, 1], false, 10, .fail,
                "attempt 3 of liveperson.registerPush (ada) was due 2.0 s (1.6 s to 3.0 s) after attempt 2 and did not come within 9.0 s"
            ),
            // The run ended before it could be judged.
            (
                [0, 1], false, 2, .undecided,
                "1.0 s of 3.0 s watched after attempt 2 of liveperson.registerPush; it would be judged 2.0 s later: keep the client running, or use --settle"
            ),
            (
                [0, 1, 3, 7, 15, 31], false, 31.4, .undecided,
                "400 ms of 38.4 s watched after attempt 6 of liveperson.registerPush; it would be judged 38.0 s later: keep the client running, or use --settle"
            ),
            ([0], true, 100, .notExercised, "not seen: a retry after a failure of liveperson.registerPush, liveperson.readUnread"),
        ] as [([Double], Bool, Double, Verdict.Result, String)])
    func `a schedule is kept, or the verdict names the attempt that broke it`(
        _ times: [Double], _ isGood: Bool, _ end: Double, _ result: Verdict.Result, _ words: String
    ) throws {
        let verdict = try Trial.judge(Self.rule, attempts(times, isGood: isGood), until: end)
        #expect(verdict.result == result)
        #expect(verdict.summary == words)
    }

    @Test func `a chain is one lane's and one operation's, and delays are counted from the end of an answer`() throws {
        let story = """
            0 call registerPush ada 503 unavailable took=8
            0.5 call registerPush bob 503 unavailable
            1 call readUnread ada 503 unavailable
            1.5 call registerPush bob 201 push-registered
            2 call readUnread ada 200 unread-count
            9 call registerPush ada 201 push-registered
            """
        let verdict = try Trial.judge(Self.rule, story, until: 10)
        #expect(verdict.result == .pass && verdict.summary == "done 3 times")
        #expect(verdict.chains.map(\.lane).sorted() == ["ada", "ada", "bob"])
        #expect(verdict.chains.first { $0.lane == "bob" }?.attempts.map(\.entries) == [[2], [4]])
    }

    @Test(arguments: TimeBasis.allCases)
    func `what the vendor worked on for long is waited from its end, by either clock`(_ basis: TimeBasis) throws {
        let story = "0 call registerPush ada 503 unavailable took=2 worked=10\n13 call registerPush ada 201 push-registered"
        #expect(try Trial.judge(Self.rule, story, until: 14, Timing(basis: basis)).result == .pass)
    }

    @Test(
        arguments: [
            // Classes, by the answers' names: a refused token is no reason to wait and try again, whatever its status.
            ("0 call registerPush ada 401 token-expired\n0 call registerPush ada 201 push-registered", Verdict.Result.notExercised),
            ("0 call registerPush ada 500 internal-error\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada 429 rate-limited\n1 call registerPush ada 201 push-registered", .pass),
            // What came instead of an answer: a gateway's page, a reset, a body cut short.
            ("0 call registerPush ada 502\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada lost\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada lost push-registered\n0 call registerPush ada 201 push-registered", .fail),
            ("0 call registerPush ada 404\n0 call registerPush ada 201 push-registered", .notExercised),
            ("0 call registerPush ada 200\n1 call registerPush ada 201 push-registered", .pass),
            // A failure of another class ends the chain.
            (
                "0 call registerPush ada 503 unavailable\n1 call registerPush ada 401 token-expired\n1 call registerPush ada 201 push-registered",
                .pass
            ),
        ])
    func `a failure is recognized by the answer's name`(_ story: String, _ result: Verdict.Result) throws {
        #expect(try Trial.judge(Self.rule, story, until: 3).result == result)
    }

    @Test func `who gives up waiting is counted from then on`() throws {
        let story = """
            0 call registerPush ada lost ordinal=7
            10 gave-up registerPush ada ordinal=7
            11 call registerPush ada 201 push-registered ordinal=8
            """
        #expect(try Trial.judge(Self.rule, story, until: 12).result == .pass)
        #expect(try Trial.judge(Self.rule, story.replacing("11 call", with: "10 call"), until: 12).result == .fail)
    }

    @Test(
        arguments: [
            ("0 call registerPush ada 503 unavailable retry-after=30\n30 call registerPush ada 201 push-registered", Verdict.Result.pass),
            ("0 call registerPush ada 503 unavailable retry-after=30\n45 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada 503 unavailable retry-after=30\n29 call registerPush ada 201 push-registered", .fail),
            ("0 call registerPush ada 503 unavailable\n1 call registerPush ada 201 push-registered", .pass),
            // What is no time to wait for is not waited for.
            ("0 call registerPush ada 503 unavailable retry-after=1e300\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada 503 unavailable retry-after=-30\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada 503 unavailable retry-after=nan\n1 call registerPush ada 201 push-registered", .pass),
            ("0 call registerPush ada 503 unavailable retry-after=9223372036854775807\n1 call registerPush ada 201 push-registered", .pass),
        ])
    func `Retry-After takes precedence over the schedule, and may be exceeded`(_ story: String, _ result: Verdict.Result) throws {
        #expect(try Trial.judge(Self.rule + "\n  honours: retry-after", story, until: 60).result == result)
    }

    @Test func `a schedule that would grow beyond any time is watched as long as any`() throws {
        let rule = "retry: { of: liveperson.registerPush, schedule: [1s, 3650d] }"
        let verdict = try Trial.judge(rule, attempts([0, 1, 315_360_001]), until: 315_360_002)
        #expect(verdict.result == .undecided && verdict.summary.contains("1.0 s of 5256000.0 min watched"), "\(verdict.summary)")
    }

    @Test func `a burst is one attempt, and without one at once is early`() throws {
        let story = """
            0 call registerPush ada 503 unavailable
            0.1 call registerPush ada 503 unavailable
            1.1 call registerPush ada 503 unavailable
            1.15 call registerPush ada 201 push-registered
            """
        #expect(try Trial.judge(Self.rule, story, until: 2).result == .fail)
        let merged = try Trial.judge(Self.rule + "\n  burst: 200ms", story, until: 2)
        #expect(merged.result == .pass, "\(merged.summary)")
        #expect(merged.chains[0].attempts.map(\.entries) == [[1, 2], [3, 4]])
    }

    @Test func `a client that hammers is not one attempt, however long its burst may be`() throws {
        let story = attempts((0..<100).map { Double($0) * 0.05 }, isGood: true)
        let verdict = try Trial.judge(Self.rule + "\n  burst: 200ms", story, until: 100)
        #expect(verdict.result == .fail)
        #expect((verdict.chains.first?.attempts.count ?? 0) <= 61, "memory is bounded")
    }

    @Test func `a group is one thing`() throws {
        let rule = Self.rule + "\n  group: registration"
        let story = "0 call registerPush ada 503 unavailable\n1 call readUnread ada 200 unread-count"
        #expect(try Trial.judge(rule, story, until: 2).chains.first?.what == "registration")
        #expect(try Trial.judge(Self.rule, story, until: 2).result == .fail, "two operations: nobody tried the first again")
    }

    @Test func `shortened timers are judged by their scale, and a schedule finer than the jitter is refused`() throws {
        let story = attempts([0, 0.1, 0.3], isGood: true)
        #expect(try Trial.judge(Self.rule, story, until: 1, Timing(basis: .wall, scale: 0.1)).result == .pass)
        #expect(try Trial.judge(Self.rule, story, until: 1, Timing(basis: .wall, scale: 1)).result == .fail)
        let tooFine = try Trial.judge(Self.rule, story, until: 1, Timing(basis: .wall, scale: 0.005))
        #expect(tooFine.result == .inconclusive)
        #expect(tooFine.summary == "a first delay of 5 ms cannot be distinguished from none with a jitter floor of 5 ms")
    }

    /// At a scale of 0.1 the first retry is due after 100 ms and may come after 200, the second 350 ms later.
    @Test(
        arguments: [
            (0, [0, 0.6], .fail), (0.3, [0, 0.6], .fail), (0.5, [0, 0.6], .pass), (9, [0, 0.8], .fail),
            (9, [0, 0.6, 0.9], .pass), (9, [0, 0.6, 1.2], .fail),
        ] as [(Double, [Double], Verdict.Result)])
    func `without a free processor one retry of a row may come late, by at most 500 ms`(
        _ busy: Double, _ times: [Double], _ result: Verdict.Result
    ) throws {
        let story = times.enumerated().map { index, time in
            let answer = index == times.count - 1 ? "201 push-registered" : "503 unavailable"
            return "\(time) call registerPush ada \(answer) busy=\(busy * Double(index))"
        }.joined(separator: "\n")
        #expect(try Trial.judge(Self.rule, story, until: 2, Timing(basis: .wall, scale: 0.1)).result == result)
    }

    /// At a scale of 0.1 the first retry is due after 100 ms and may come from 80 ms to 200 ms.
    @Test(
        arguments: [
            (0.3, 0, .fail), (0.3, 0.05, .fail), (0.3, 0.2, .pass), (0.9, 0.8, .pass), (1.5, 1.4, .fail),
            // It was early, whenever it opened its connection.
            (0.05, 0.05, .fail), (0.05, 0, .fail),
        ] as [(Double, Double, Verdict.Result)])
    func `an attempt is late by when its connection was opened, up to a second before, and early by when it came`(
        _ time: Double, _ opening: Double, _ result: Verdict.Result
    ) throws {
        let story = "0 call registerPush ada 503 unavailable\n\(time) call registerPush ada 201 push-registered opening=\(opening)"
        #expect(try Trial.judge(Self.rule, story, until: 2, Timing(basis: .wall, scale: 0.1)).result == result)
    }

    @Test func `by the machine's clock a chain across a restart cannot be judged, by the sandbox's it can`() throws {
        let story = "0 call registerPush ada 503 unavailable\n1 call registerPush ada 201 push-registered process=2"
        #expect(try Trial.judge(Self.rule, story, until: 2, Timing(basis: .wall), process: 2).result == .inconclusive)
        #expect(try Trial.judge(Self.rule, story, until: 2).result == .pass)
    }

    @Test func `what left the journal cannot be judged`() throws {
        let verdict = try Trial.judge(Self.rule, attempts([0, 0], isGood: true), until: 2, pruned: 12)
        #expect(verdict.result == .inconclusive && verdict.summary.hasPrefix("12 entries have left the journal"))
    }
}
