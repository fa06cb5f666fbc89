import SparringJSON
import SparringJournal
import Testing

@testable import sparring

/// Faults that did nothing in a run.
@Suite struct IdleFaultTests {
    @Test(
        arguments: [
            (["hits": 1, "matched": 1, "effect": "status"], [], nil),
            (
                ["hits": 0, "matched": 0, "effect": "status"], [],
                "fault 1 (x) never struck: nothing came that it is for, at a time at which it is in force"
            ), (["hits": 0, "matched": 1, "effect": "status"], [], "fault 1 (x) never struck, of 1 time that it could have"),
            (
                [
                    "matched": 3, "hits": 0, "effect": "status",
                    "lanes": ["a": ["hits": 0, "matched": 1], "b": ["hits": 0, "matched": 2]],
                ], [],
                "fault 1 (x) never struck, of 3 times that it could have"
            ), (["hits": 0, "effect": "status", "lanes": ["a": ["hits": 0, "matched": 1], "b": ["hits": 1, "matched": 2]]], [], nil),
            (
                ["hits": 2, "matched": 2, "effect": "close", "parameters": ["after": "30s"]], [["cause": "closed by the client with 1000"]],
                "fault 1 (x) ended no socket: each was over before after=30s"
            ),
            (
                ["hits": 2, "matched": 2, "effect": "abort", "parameters": ["after-frames": "3"]],
                [["faults": [12], "cause": "closed by Sparring without a close frame: fault 12"]],
                "fault 1 (x) ended no socket: each was over before after-frames=3"
            ),
            (
                ["hits": 2, "matched": 2, "effect": "close", "parameters": ["after": "30s"]],
                [["cause": "closed by the client with 1000"], ["faults": [1]]],
                nil
            ),
            (
                ["hits": 2, "matched": 2, "effect": "close", "parameters": ["after": "30s"]],
                [["cause": "closed by the client with 1000 'not fault 1'"]], "fault 1 (x) ended no socket: each was over before after=30s"
            ), (["hits": 2, "matched": 2, "effect": "close"], [], nil),
        ] as [(JSON, [JSON], String?)])
    func `are named, with what they waited for`(_ fault: JSON, _ sockets: [JSON], _ note: String?) {
        let named = fault.merging(["number": 1, "text": "x"])
        #expect(IdleFaults(faults: [named], sockets: sockets).notes == (note.map { [$0] } ?? []))
    }

    @Test(arguments: [(91, 2.2, 1.0, 52), (91, 37.7, 20, 61), (91, 0.1, 1, nil), (10, 5, 0, nil)] as [(Double, Double, Double, Int?)])
    func `a rate is named only if it helps`(_ lasts: Double, _ lived: Double, _ rate: Double, _ named: Int?) {
        #expect(PlayRunner.rate(that: .seconds(lasts), fitsInto: .seconds(lived), at: rate) == named)
    }

    @Test(
        arguments: [
            (52, 1, "let the client live longer, advance the clock, or give --rate 52"),
            (nil, 1, "let the client live longer, or advance the clock"),
            (
                52, 0.1,
                "let the client run longer (a longer wait in it, or a command that ends later), or advance the clock; --rate 52 would do too, "
                    + "and leaves the client less time for the sandbox's limits than --time-scale allows for"
            ), (nil, 0.1, "let the client run longer (a longer wait in it, or a command that ends later), or advance the clock"),
        ] as [(Int?, Double, String)])
    func `the rate is the last way where the client's timers are scaled`(_ rate: Int?, _ scale: Double, _ words: String) {
        #expect(PlayRunner.wayOut(rate: rate, scale: scale) == words)
    }
}
