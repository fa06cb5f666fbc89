import SparringJournal
import Testing
import SparringJSON

/// Points in time stay within what RFC 3339 can write, no matter who sends the numbers.
@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"), ("9999-12-31T23:59:60.999Z", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z"), ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.999Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"), ("0000-01-01T00:00:00+00:01", "0000-01-01T00:00:00.000Z"),
            ("0000-02-29T12:00:00.5Z", "0000-02-29T12:00:00.500Z"), ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"),
            ("2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00.000Z"), ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ])
    func `a time beyond the end is the end, and a leap second the first of the next day`(_ text: String, _ written: String) throws {
        #expect(try #require(Timestamp(text)).description == written)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:61Z", "2026-02-29T00:00:00Z", "10000-01-01T00:00:00Z",
        "-001-01-01T00:00:00Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00.Z", "2026-01-01T24:00:00Z",
    ])
    func `what is no time is none`(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `whatever number is asked for, the time can be written and read again`() throws {
        for number in [Int64.min, .min + 1, -62_167_219_200_001, -1, 0, 253_402_300_800_000, .max - 1, .max] {
            for time in [Timestamp(milliseconds: number), Timestamp(seconds: number)] {
                #expect(time >= .earliest && time <= .latest)
                #expect(try #require(Timestamp(time.description)) == time)
                #expect(time.description.utf8.count == 24)
            }
        }
        #expect(Timestamp.earliest.description == "0000-01-01T00:00:00.000Z" && Timestamp.latest.description == "9999-12-31T23:59:59.999Z")
    }

    @Test func `every day from the first to the last is written as it is read`() throws {
        var number = Timestamp.earliest.milliseconds
        while number < Timestamp.latest.milliseconds {
            let time = Timestamp(milliseconds: number)
            #expect(try #require(Timestamp(time.description)) == time)
            number += 86_400_000 * 17 + 12_345_678
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .milliseconds(Int64.max), .seconds(Int64.max) + .seconds(Int64.max), .longest])
    func `sums and differences end where time does`(_ distance: Duration) {
        let far = Duration.seconds(400_000_000_000)
        for time in [Timestamp.earliest, Timestamp(milliseconds: 0), .latest] {
            #expect(time + distance >= time && time - distance <= time)
            #expect(time + distance + far == .latest && time - distance - far == .earliest)
        }
        #expect((Timestamp.latest - .earliest).milliseconds == 315_569_519_999_999)
        #expect((Timestamp.earliest - .latest).words == "-3652424 days")
    }

    @Test(arguments: [(-1, -1), (0, 0), (999, 0), (1000, 1), (-1000, -1), (-1001, -2)] as [(Int64, Int64)])
    func `seconds are counted downwards before 1970 too`(_ milliseconds: Int64, _ seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }
}
