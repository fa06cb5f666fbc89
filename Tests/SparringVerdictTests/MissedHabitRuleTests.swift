import SparringVerdict
import Testing

/// Habits that a rule once let pass, and beside each what a good client does.
@Suite struct MissedHabitRuleTests {
    private static let single = "sockets: { of: liveperson.openConsumerSocket, credential: header:Authorization, single: true, within: 5s }"
    private static let badge = """
        tells: { event: { mark: badge }, value: mark:/value, from: [{ event: { calls: liveperson.readUnread, answered: ok }, value: answer:/total }, { event: { calls: liveperson.openConsumerSocket, answered: ok }, is: "0" }] }
        """
    private static let verifier =
        "noReuse: { of: liveperson.authenticateV2, credential: body:/code_verifier, unlike: body:/code }"
    private static let logout =
        "cleanLogout: { begins: { calls: liveperson.registerPush, answered: ok }, ends: liveperson.unregisterPush, device: body:/deviceToken, signsOut: { mark: signed-out } }"
    private static let marks = "0 mark started ada\n"
    private static let opened = "0 call openConsumerSocket ada 101 socket-opened socket=1 auth=a\n"
    private static let second = "9 call openConsumerSocket ada 101 socket-opened socket=2 auth=b\n"
    private static let registered = "0 call registerPush ada 201 push-registered body={\"deviceToken\":\"d\"}\n"

    private static func signIn(_ time: Double, _ code: String, _ verifier: String) -> String {
        "\(time) call authenticateV2 ada 200 signed-in body={\"code\":\"\(code)\",\"code_verifier\":\"\(verifier)\"}\n"
    }

    private static func count(_ time: Double, _ total: Int, _ lane: String = "ada") -> String {
        "\(time) call readUnread \(lane) 200 unread-count told={\"total\":\(total)}\n"
    }

    static let cases: [RuleTests.Case] = [
        .init(
            "a second socket with a token of its own", single, marks + opened + second, .fail,
            "another socket was opened, and the socket of entry 2 stayed open for 91.0 s at the same time"),
        .init("the first ends soon", single, marks + opened + second + "11 end openConsumerSocket ada socket=1", .pass, "done once"),
        .init(
            "both end soon, so that it is not known whether it was a change", single,
            marks + opened + second + "11 end openConsumerSocket ada socket=1 by=client\n12 end openConsumerSocket ada socket=2 by=client",
            .pass,
            "done once; 1 more undecided: entry 3 opened another socket beside the one of entry 2, and the client closed both within 3.0 s: a change of sockets may take 5.0 s"
        ),
        .init(
            "the server drops the second", single,
            marks + opened + second + "11 end openConsumerSocket ada socket=1 by=client\n12 end openConsumerSocket ada socket=2", .pass,
            "done once"),
        .init(
            "a second one with the same token is another rule's", single, marks + opened + second.replacing("auth=b", with: "auth=a"),
            .pass, "done 2 times"),
        .init("an app without marks may be two devices", single, opened + second, .pass, "done once"),
        .init("two devices", single, "0 mark started ada device=a\n0 mark started ada device=b\n" + opened + second, .pass, "done once"),
        .init("two people", single, marks + opened + second.replacing("ada", with: "bob"), .pass, "done 2 times"),
        .init(
            "a number that another has replaced long since", badge, opened + count(5, 2) + "60 mark badge ada value=0", .fail,
            "the mark 'badge' with 0, which is not the last that the client was given"),
        .init("the same shortly after it", badge, opened + count(5, 2) + "9 mark badge ada value=0", .pass, "done once"),
        .init("the last one, however old", badge, count(0, 0) + count(5, 2) + "90 mark badge ada value=2", .pass, "done once"),
        .init(
            "two people, and the other one got the last number", badge, opened + count(5, 2, "bob") + "60 mark badge ada value=0", .pass,
            "done once"),
        .init(
            "on two devices", badge,
            "0 mark started ada device=a\n0 mark started ada device=b\n" + opened + count(5, 2) + "60 mark badge ada value=0", .pass,
            "done once"),
        .init(
            "a verifier for two codes", verifier, signIn(0, "c", "v") + signIn(5, "d", "v"), .fail,
            "liveperson.authenticateV2 (signed-in) brought what entry 1 had used"),
        .init("a verifier for each code", verifier, signIn(0, "c", "v") + signIn(5, "d", "w"), .pass, "done 2 times"),
        .init("the same sign-in once more", verifier, signIn(0, "c", "v") + signIn(5, "c", "v"), .pass, "done once"),
        .init(
            "another device is unregistered", logout,
            registered + "5 call unregisterPush ada 204 push-unregistered body={\"deviceToken\":\"D\"}\n9 mark signed-out ada",
            .fail, "ada signed out, and there was no attempt to unregister what entry 1 registered"),
        .init(
            "the device is unregistered", logout,
            registered + "5 call unregisterPush ada 204 push-unregistered body={\"deviceToken\":\"d\"}\n9 mark signed-out ada", .pass,
            "done once"),
        .init(
            "whatever is registered is unregistered", logout,
            registered + "5 call unregisterPush ada 204 push-unregistered\n9 mark signed-out ada",
            .pass, "done once"),
    ]

    @Test(arguments: cases) func says(_ trial: RuleTests.Case) throws {
        let verdict = try Trial.judge(trial.rule, trial.story, until: trial.end)
        #expect(verdict.result == trial.result)
        #expect(verdict.summary == trial.words)
    }
}
