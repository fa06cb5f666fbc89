import HTTPTypes
import SparringJournal
@testable import SparringEngine
import Testing

/// Conditional requests and ranges of a file (RFC 9110 §13 and §14), apart from the wire.
@Suite struct SelectionTests {
    private static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    private static let (earlier, later) = ("Wed, 31 Dec 2025 23:59:59 GMT", "Thu, 01 Jan 2026 00:00:01 GMT")

    /// - Returns: `200`, `206 FIRST-LAST`, `304`, `412` or `416`.
    private func outcome(_ fields: HTTPFields, isGet: Bool = true, tag: String = "\"a\"", date: String? = Self.date, size: Int = 10)
        -> String
    {
        var validators: HTTPFields = [.eTag: tag]
        validators[.lastModified] = date
        let selection = Selection(fields: fields, isGet: isGet, now: Timestamp(seconds: 1_767_225_600))
        return switch selection.outcome(validators, size: size) {
        case .whole: "200"
        case .part(let range): "206 \(range.lowerBound)-\(range.upperBound - 1)"
        case .unmodified: "304"
        case .failed: "412"
        case .unsatisfiable: "416"
        }
    }

    @Test(
        arguments: [
            ("bytes=0-4", "206 0-4"), ("bytes=4-", "206 4-9"), ("bytes=-3", "206 7-9"), ("bytes=9-9", "206 9-9"), ("bytes=0-", "206 0-9"),
            ("bytes=5-999", "206 5-9"), ("bytes=-999", "206 0-9"), ("BYTES=0-0", "206 0-0"), ("bytes= 1-2 ", "206 1-2"),
            ("bytes=,1-2,", "206 1-2"), ("bytes=0-99999999999999999999999", "206 0-9"), ("bytes=-99999999999999999999999", "206 0-9"),
            // Beyond the end.
            ("bytes=10-", "416"), ("bytes=10-20", "416"), ("bytes=-0", "416"), ("bytes=99999999999999999999999-", "416"),
            // To be ignored.
            ("bytes=0-1,4-5", "200"), ("bytes=20-30,40-50", "200"), ("items=0-1", "200"), ("bytes=5-4", "200"), ("bytes=a-b", "200"),
            ("bytes=1", "200"), ("bytes=-", "200"), ("bytes=", "200"), ("bytes", "200"), ("", "200"), ("bytes=--1", "200"),
            ("bytes=1--2", "200"),
            ("bytes=+1-2", "200"), ("bytes=1-2-3", "200"), ("bytes 0-4/10", "200"), ("bytes=0x1-2", "200"), ("bytes=1-2;q=1", "200"),
        ] as [(String, String)])
    func `one range is served, what is beyond the file is refused, and everything else is ignored`(_ range: String, _ expected: String) {
        #expect(outcome([.range: range]) == expected)
        #expect(outcome([.range: range], isGet: false) == "200", "RFC 9110 §14.2 defines ranges of GET alone")
    }

    @Test(arguments: [("bytes=0-", "416"), ("bytes=0-0", "416"), ("bytes=-0", "416"), ("bytes=-5", "200")])
    func `an empty file has no byte to serve`(_ range: String, _ expected: String) {
        #expect(outcome([.range: range], size: 0) == expected)
    }

    @Test(
        arguments: [
            (["If-None-Match": "\"a\""], "304"), (["If-None-Match": "W/\"a\""], "304"), (["If-None-Match": "*"], "304"),
            (["If-None-Match": "\"b\", \"a\""], "304"), (["If-None-Match": "\"b,c\",\"a\""], "304"), (["If-None-Match": "a"], "304"),
            (["If-None-Match": "\"b\""], "200"), (["If-None-Match": "\"a"], "304"), (["If-None-Match": "\"A\""], "200"),
            (["If-None-Match": ""], "200"), (["If-None-Match": ", ,"], "200"), (["If-None-Match": "\"*\""], "200"),
            (["If-Match": "\"a\""], "200"), (["If-Match": "*"], "200"), (["If-Match": "\"b\", \"a\""], "200"), (["If-Match": "a"], "200"),
            (["If-Match": "\"b\""], "412"), (["If-Match": "W/\"a\""], "412"), (["If-Match": ""], "200"),
            (["If-Modified-Since": date], "304"), (["If-Modified-Since": later], "304"), (["If-Modified-Since": earlier], "200"),
            (["If-Modified-Since": "Thursday, 01-Jan-26 00:00:00 GMT"], "304"), (["If-Modified-Since": "yesterday"], "200"),
            (["If-Unmodified-Since": date], "200"), (["If-Unmodified-Since": earlier], "412"),
            (["If-Unmodified-Since": "yesterday"], "200"),
            // The tags outrank the dates (RFC 9110 §13.2.2).
            (["If-None-Match": "\"b\"", "If-Modified-Since": date], "200"), (["If-Match": "\"a\"", "If-Unmodified-Since": earlier], "200"),
            (["If-Match": "\"b\"", "If-None-Match": "\"a\""], "412"), (["If-Match": "\"a\"", "If-None-Match": "\"a\""], "304"),
            // Conditions come before the range.
            (["If-None-Match": "\"a\"", "Range": "bytes=0-1"], "304"), (["If-Match": "\"b\"", "Range": "bytes=0-1"], "412"),
            (["If-Match": "\"a\"", "Range": "bytes=0-1"], "206 0-1"), (["If-None-Match": "\"b\"", "Range": "bytes=99-"], "416"),
            (["If-Range": "\"a\"", "Range": "bytes=0-1"], "206 0-1"), (["If-Range": "\"b\"", "Range": "bytes=0-1"], "200"),
            (["If-Range": "W/\"a\"", "Range": "bytes=0-1"], "200"), (["If-Range": "\"a\", \"b\"", "Range": "bytes=0-1"], "200"),
            (["If-Range": "\"b\"", "Range": "bytes=99-"], "200"), (["If-Range": "\"a\"", "Range": "bytes=99-"], "416"),
            (["If-Range": date, "Range": "bytes=0-1"], "206 0-1"), (["If-Range": earlier, "Range": "bytes=0-1"], "200"),
            (["If-Range": later, "Range": "bytes=0-1"], "200"), (["If-Range": "\"a\""], "200"),
        ] as [([String: String], String)])
    func `conditions are judged in the order of RFC 9110`(_ fields: [String: String], _ expected: String) {
        let fields = HTTPFields(fields.map { HTTPField(name: HTTPField.Name($0.key)!, value: $0.value) })
        #expect(outcome(fields) == expected)
        if fields[.range] == nil { #expect(outcome(fields, isGet: false) == expected) }
    }

    @Test(arguments: [HTTPField.Name.ifModifiedSince, .ifUnmodifiedSince])
    func `a date is no condition where it is unknown when the file was made`(_ name: HTTPField.Name) {
        #expect(outcome([name: Self.earlier], date: nil) == "200" && outcome([name: Self.later], date: nil) == "200")
        #expect(outcome([.ifRange: Self.date, .range: "bytes=0-1"], date: nil) == "200")
    }

    @Test func `a tag without quotes is met by itself, with quotes and without`() {
        for text in ["a", "\"a\"", "W/a", "b, a"] { #expect(outcome([.ifNoneMatch: text], tag: "a") == "304", "\(text)") }
        for text in ["b", "ab", "\"a b\""] { #expect(outcome([.ifNoneMatch: text], tag: "a") == "200", "\(text)") }
    }
}
