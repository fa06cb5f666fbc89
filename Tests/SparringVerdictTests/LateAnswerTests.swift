import Testing

@testable import SparringVerdict

/// The verdicts of rules on calls that take longer than their client waits for them: the journal lists a call when it has ended.
@Suite struct LateAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: String
        var story: String
        var result: Verdict.Result

        init(_ words: String, _ rule: String, _ story: String, _ result: Verdict.Result) {
            (testDescription, self.rule, self.story, self.result) = (words, rule, story, result)
        }
    }

    private static let late =
        "stops: { after: { calls: liveperson.Login.*, answered: ok }, slower: 30s, calls: liveperson.registerPush, until: [{ mark: asked }, liveperson.Login.*], pause: 5s }"
    private static let told =
        "within: { given: { mark: asked }, after: { calls: liveperson.Login.* }, quicker: 30s, comes: { mark: answered }, within: 5s }"
    private static let apart = "oneAtATime: { calls: liveperson.Login.*, within: 30s }"
    private static let asked =
        "order: { given: { mark: asked }, first: { mark: asked }, then: liveperson.Login.*, since: { mark: [answered, timed-out] } }"
    private static let once = "once: { event: { mark: answered }, each: { mark: asked }, saved: true }"

    private static let cases: [Case] = [
        Case(
            "goes on after an answer in time", late,
            "0 call authenticateV2 ada 200 signed-in took=29\n30 call registerPush ada 201 push-registered", .notExercised),
        Case(
            "goes on after a late answer", late,
            "0 call authenticateV2 ada 200 signed-in took=31\n32 call registerPush ada 201 push-registered", .fail),
        Case(
            "lets a late answer be", late, "0 call authenticateV2 ada 200 signed-in took=31\n37 call registerPush ada 201 push-registered",
            .pass),
        Case(
            "asks again after a late answer", late,
            "0 call authenticateV2 ada 200 signed-in took=31\n32 mark asked ada\n33 call registerPush ada 201 push-registered", .pass),
        Case(
            "asked again before the late answer came", late,
            "30 mark asked ada\n0 call authenticateV2 ada 200 signed-in took=31\n32 call registerPush ada 201 push-registered",
            .notExercised),
        Case(
            "had asked before", late,
            "0 mark asked ada\n1 call authenticateV2 ada 200 signed-in took=31\n33 call registerPush ada 201 push-registered", .fail),
        Case(
            "tells of a quick answer", told, "0 mark asked ada\n1 call authenticateV2 ada 200 signed-in took=2\n4 mark answered ada", .pass),
        Case("says nothing of a quick answer", told, "0 mark asked ada\n1 call authenticateV2 ada 200 signed-in took=2", .fail),
        Case("says nothing of a late answer", told, "0 mark asked ada\n1 call authenticateV2 ada 200 signed-in took=31", .notExercised),
        Case(
            "calls beside one under way", apart,
            "10 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in took=40", .fail),
        Case(
            "calls beside one that counts as abandoned", apart,
            "31 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in took=40", .pass),
        // On a clock that stands all calls begin at one instant.
        Case(
            "calls beside one that a fault delays", apart,
            "0 call authenticateV2 ada 200 signed-in wall=0.1\n0 call authenticateV2 ada 200 signed-in took=2", .fail),
        Case(
            "calls before one that a fault delays", apart,
            "0 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in wall=0.1 took=2", .pass),
        Case(
            "calls one after the other at one instant", apart,
            "0 call authenticateV2 ada 200 signed-in\n0 call authenticateV2 ada 200 signed-in wall=0.1", .pass),
        Case(
            "calls when the delayed one has been answered", apart,
            "0 call authenticateV2 ada 200 signed-in took=2\n2 call authenticateV2 ada 200 signed-in", .pass),
        // The machine's clock has the answer two seconds later, since nobody knew then that the sandbox's would be advanced at once.
        Case(
            "calls when the sandbox's clock says that the delayed one has been answered", apart,
            "0 call authenticateV2 ada 200 signed-in took=2\n2 call authenticateV2 ada 200 signed-in wall=-1.9", .pass),
        Case(
            "calls beside one at the same instant", apart,
            "0 call authenticateV2 ada 200 signed-in slow=0.4\n0 call authenticateV2 ada 200 signed-in wall=0.1", .fail),
        Case(
            "calls beside two that are delayed", apart,
            "0 call authenticateV2 ada 200 signed-in wall=0.2\n0 call authenticateV2 ada 200 signed-in took=2\n0 call authenticateV2 ada 200 signed-in took=3 wall=0.1",
            .fail),
        Case(
            "calls unasked", asked,
            "0 mark asked ada\n1 call authenticateV2 ada 200 signed-in\n2 mark answered ada\n3 call authenticateV2 ada 200 signed-in", .fail
        ),
        Case(
            "called before the time was up", asked,
            "0 mark asked ada\n31 mark timed-out ada\n1 call authenticateV2 ada 200 signed-in took=40", .notExercised),
        Case("answers each question", once, "0 mark asked ada\n1 mark answered ada\n2 mark asked ada\n3 mark answered ada", .pass),
        Case(
            "answers an old question late", once, "0 mark asked ada\n31 mark asked ada\n32 mark answered ada\n40 mark answered ada", .pass),
        Case(
            "answers once more", once,
            "0 mark asked ada\n31 mark asked ada\n32 mark answered ada\n40 mark answered ada\n41 mark answered ada", .fail),
        Case("tells no questions", once, "0 mark answered ada\n1 mark answered ada", .notExercised),
    ]

    @Test(arguments: cases)
    private func `a late answer is nobody's any more`(_ row: Case) throws {
        let verdict = try Trial.judge(row.rule, row.story, until: 100)
        #expect(verdict.result == row.result, "\(verdict.summary)")
    }
}
