import SparringJSON

/// Values at which arithmetic, lengths and comparisons go wrong.
enum Values {
    static let integers: [Int64] = [
        0, -1, 1, .max, .min, .max - 1, .min + 1, 1 << 31, 1 << 32, -(1 << 31), 1 << 53, .max / 1000, .max / 1000 + 1, 999_999_999_999,
        1_000_000_000_000, 253_402_300_800, 253_402_300_800_000, 65536, 70000,
    ]
    static let doubles: [Double] = [
        0.5, -0.0, 1e18, 9.3e18, -9.3e18, 1.8e19, 1e300, .leastNonzeroMagnitude, 1e-7, 9_007_199_254_740_992, .pi,
    ]
    static let texts = [
        "", " ", "0", "-1", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e999", "NaN", "true", "null", "\u{0}",
        "a\u{0}b", "\r\n", "e\u{301}", "\u{212A}", "\u{FEFF}", "\u{202E}", "\u{FFFD}", "🥊", "👩‍👩‍👧‍👦", "..", "../../x", "%00", "%2F", "{", "}",
        "\"", "\\", "'", "<script>",
        "0ms", "1ms", "-5s", "P10Y", "10y", "87600h", "9223372036854775807ms", "9223372036854775807s", "PT0S", "1.5s",
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z", "10000-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z", "2026-01-01T00:00:00+99:99", "http://", "http://[::1", "https://127.0.0.1:0/x", "myapp://", "urn:x", "//x",
        "default", "acme", "brand", "liveperson", "identity", "a.b.c", "e30.e30.", "....", "(a+)+$", "[", "(?", "$", "^", "{{text}}", "*",
        "**",
        "liveperson.*", "*.Login.* delay by=1s", "* STALL", "* CONNECTION_RESET_BY_PEER", "* close code=1011 after-frames=1", "* drop",
        "* truncate bytes=0", "* status code=503 body=x type=y", "* RANDOM_DATA_THEN_CLOSE bytes=100000", "* delay median=1s sigma=1000",
    ]
    /// Made when they are asked for.
    static func long(_ choices: inout Choices) -> String {
        let unit = choices.pick(["a", "/a", "é", "1", "a,", " ", "%41", "[", "\u{0}", "👩‍👩‍👧‍👦"])
        return String(repeating: unit, count: choices.pick([100, 100, 300, 300, 1025, 1025, 4096, 70_000]))
    }

    static func text(_ choices: inout Choices) -> String {
        switch choices.below(16) {
        case 0...8: choices.pick(texts)
        case 9...14: choices.text()
        default: long(&choices)
        }
    }

    static func json(_ choices: inout Choices) -> JSON {
        switch choices.below(9) {
        case 0, 1: .integer(choices.pick(integers))
        case 2: .number(choices.pick(doubles))
        case 3, 4: .string(text(&choices))
        case 5: .null
        case 6: .bool(choices.chance(128))
        case 7: choices.chance(128) ? [] : .array((0..<choices.pick([1, 2, 300])).map { .integer($0) })
        default: nested(choices.pick([1, 20, 200]))
        }
    }

    private static func nested(_ depth: Int) -> JSON {
        (0..<depth).reduce([:]) { inner, level in level.isMultiple(of: 2) ? ["x": inner] : [inner] }
    }
}
