import SparringJSON
import Testing

/// Durations as texts, and texts as durations.
@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("200ms", 200), ("2s", 2000), ("1.5s", 1500), ("10m", 600_000), ("1h", 3_600_000), ("PT10M", 600_000), ("P1DT2H", 93_600_000),
            ("3650d", 315_360_000_000), ("3651d", nil), ("99999999999999999999h", nil), ("P99999999W", nil), ("-1s", nil), ("1e3s", nil),
            ("", nil), ("P", nil), ("s", nil), ("1.2.3s", nil), ("inf s", nil), ("nans", nil),
        ] as [(String, Int64?)])
    func `a text of ten years at most is read`(_ text: String, _ milliseconds: Int64?) {
        #expect(Duration(text: text)?.milliseconds == milliseconds)
    }

    @Test func `a text of a million digits is none`() {
        #expect(Duration(text: String(repeating: "1", count: 1 << 20) + "s") == nil)
    }

    @Test(
        arguments: [
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min), (.seconds(Int64.max) + .seconds(Int64.max), .max),
            (.milliseconds(Int64.max), .max), (.milliseconds(Int64.min), .min), (.milliseconds(Int64.max) + .milliseconds(1), .max),
            (.nanoseconds(1_999_999), 1), (.nanoseconds(-1_999_999), -1), (.zero, 0),
        ] as [(Duration, Int64)])
    func `the longest duration has as many milliseconds as 64 bits hold, and words`(_ duration: Duration, _ milliseconds: Int64) {
        #expect(duration.milliseconds == milliseconds)
        #expect(!duration.words.isEmpty && !duration.shortText.isEmpty)
    }

    @Test(
        arguments: [
            (0, "0 ms", "0ms"), (999, "999 ms", "999ms"), (1500, "1.5 s", "1500ms"), (31_000, "31 s", "31s"), (600_000, "10 min", "10m"),
            (7_200_000, "2 h", "2h"), (-1500, "-1.5 s", "-1500ms"), (.min, "-106751991167 days", "-9223372036854775808ms"),
        ] as [(Int64, String, String)])
    func `words are for people, the short text is for reading again`(_ milliseconds: Int64, _ words: String, _ short: String) {
        #expect(Duration.milliseconds(milliseconds).words == words)
        #expect(Duration.milliseconds(milliseconds).shortText == short)
    }
}
