import SparringJournal
import Testing

/// Dates of HTTP (RFC 9110 §5.6.7).
@Suite struct HTTPDateTests {
    private static let now = Timestamp("2026-01-01T00:00:00Z")!

    @Test(
        arguments: [
            ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"), ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ("1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"), ("2024-02-29T12:00:00.500Z", "Thu, 29 Feb 2024 12:00:00 GMT"),
            ("2026-10-21T07:28:00Z", "Wed, 21 Oct 2026 07:28:00 GMT"), ("0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT"),
            ("9999-12-31T23:59:59.999Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func `a time is written in whole seconds, with its weekday, and read again`(_ text: String, _ written: String) throws {
        let time = try #require(Timestamp(text))
        #expect(time.httpDate == written)
        #expect(Timestamp(httpDate: written, now: Self.now) == Timestamp(seconds: time.seconds))
    }

    @Test(
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"), ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"),
            ("Fri Nov 16 08:49:37 2012", "2012-11-16T08:49:37.000Z"),
            ("Wednesday, 01-Jan-76 00:00:00 GMT", "2076-01-01T00:00:00.000Z"),
            ("Friday, 01-Jan-77 00:00:00 GMT", "1977-01-01T00:00:00.000Z"),
        ])
    func `the two older formats are read, and two digits of a year mean the nearest past beyond fifty years`(_ text: String, _ time: String)
        throws
    {
        #expect(try #require(Timestamp(httpDate: text, now: Self.now)).description == time)
    }

    @Test(
        arguments: [
            "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 194 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func `what is no date is none`(_ text: String) {
        #expect(Timestamp(httpDate: text, now: Self.now) == nil)
    }
}
