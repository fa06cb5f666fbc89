package import SparringJSON

/// A point in time in milliseconds since 1970-01-01T00:00:00Z. Which clock it was read on is the holder's affair: here that is a
/// sandbox's clock, unless said otherwise.
///
/// RFC 3339, which knows the years 0000 to 9999, can write every one of them: anything beyond becomes ``earliest`` or ``latest``. So no sum
/// or difference of them overflows, no matter who sent the numbers.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let milliseconds: Int64

    /// 0000-01-01T00:00:00.000Z
    public static let earliest = Timestamp(milliseconds: .min)
    /// 9999-12-31T23:59:59.999Z
    public static let latest = Timestamp(milliseconds: .max)

    public init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999) }
    public init(seconds: Int64) { self.init(milliseconds: seconds.multipliedClamped(by: 1000)) }

    /// Whole seconds, as a NumericDate counts them (RFC 7519 §2).
    public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
    public static func + (time: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds.addingClamped(distance.milliseconds))
    }
    public static func - (time: Timestamp, distance: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds.subtractingClamped(distance.milliseconds))
    }
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// In UTC in RFC 3339 format, with milliseconds: `2026-11-21T07:00:00.000Z`.
    public var description: String {
        ByteBuffer.onStack { out in
            write(to: &out)
            return out.text
        }
    }

    /// Appends ``description`` as UTF-8.
    package func write(to out: inout ByteBuffer) {
        let day = Self.floorDivide(milliseconds, 86_400_000)
        let ofDay = milliseconds - day * 86_400_000
        // Days to a civil date by Euclidean counting from 0000-03-01, so that leap days come last in the year.
        let shifted = day + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        out.extend(by: Self.length) { room in
            Self.write(year, 4, "-", to: room, at: 0)
            Self.write(month, 2, "-", to: room, at: 5)
            Self.write(dayOfMonth, 2, "T", to: room, at: 8)
            Self.write(ofDay / 3_600_000, 2, ":", to: room, at: 11)
            Self.write(ofDay / 60_000 % 60, 2, ":", to: room, at: 14)
            Self.write(ofDay / 1000 % 60, 2, ".", to: room, at: 17)
            Self.write(ofDay % 1000, 3, "Z", to: room, at: 20)
        }
    }

    /// Bytes of ``description``.
    private static let length = 24

    /// Reads RFC 3339 with `Z` or a numeric offset, with or without a fraction of a second. Nil for anything else. A leap second, such as
    /// `2016-12-31T23:59:60Z`, is the first of the next day, as POSIX counts; none comes after ``latest``.
    public init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ Timestamp(utf8: $0) }) else { return nil }
        self = read
    }

    /// Reads the bytes of an RFC 3339 text.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard start + count <= bytes.count else { return nil }
            var number: Int64 = 0
            for at in start..<start + count {
                guard bytes[at].isDigit else { return nil }
                number = number * 10 + Int64(bytes[at] - 0x30)
            }
            return number
        }
        func stands(_ character: Unicode.Scalar, at index: Int) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: character) }
        guard let year = number(0, 4), stands("-", at: 4), let month = number(5, 2), stands("-", at: 7), let day = number(8, 2),
            stands("T", at: 10) || stands("t", at: 10) || stands(" ", at: 10), let hour = number(11, 2), stands(":", at: 13),
            let minute = number(14, 2), stands(":", at: 16), let second = number(17, 2),
            (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        var position = 19
        var fraction: Int64 = 0
        if stands(".", at: position) {
            position += 1
            let start = position
            while position < bytes.count, bytes[position].isDigit { position += 1 }
            guard position > start else { return nil }
            for at in start..<start + 3 { fraction = fraction * 10 + (at < position ? Int64(bytes[at] - 0x30) : 0) }
        }
        var offset: Int64 = 0
        if stands("Z", at: position) || stands("z", at: position) {
            position += 1
        } else if let sign: Int64 = stands("+", at: position) ? 1 : stands("-", at: position) ? -1 : nil,
            let hours = number(position + 1, 2), hours < 24, stands(":", at: position + 3), let minutes = number(position + 4, 2),
            minutes < 60
        {
            offset = sign * (hours * 60 + minutes)
            position += 6
        } else {
            return nil
        }
        guard position == bytes.count else { return nil }
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = Self.floorDivide(yearFromMarch, 400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        self.init(milliseconds: ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + fraction)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { (a >= 0 ? a : a - b + 1) / b }

    private static func write(
        _ value: Int64, _ width: Int, _ end: Unicode.Scalar, to room: UnsafeMutableBufferPointer<UInt8>, at first: Int
    ) {
        var rest = value
        for place in stride(from: first + width - 1, through: first, by: -1) {
            room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        room[first + width] = UInt8(ascii: end)
    }
}
