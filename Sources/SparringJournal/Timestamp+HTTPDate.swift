import SparringJSON

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
extension Timestamp {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// IMF-fixdate, which has whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        // Year, month, day, hour, minute, second, milliseconds.
        let parts = description.split { !$0.isNumber }
        let month = Self.months[(parts[1].integer(in: 1...12) ?? 1) - 1]
        let secondOfDay = (seconds % 86_400 + 86_400) % 86_400
        // The first day of 1970 was a Thursday.
        let weekday = ((seconds - secondOfDay) / 86_400 % 7 + 11) % 7
        return "\(Self.weekdays[Int(weekday)]), \(parts[2]) \(month) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// Reads each of the three formats: IMF-fixdate, that of RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and that of asctime (`Sun Nov  6 08:49:37 1994`). Nil for
    /// anything else. The name of the weekday is not compared with the date.
    ///
    /// - Parameter now: a year of two digits is read as one that is at most 50 years after this time.
    package init?(httpDate text: String, now: Timestamp) {
        let words = text.split { $0 == " " || $0 == "-" || $0 == "," }
        let day: Substring, month: Substring, year: Substring, time: Substring
        switch words.count {
        case 6 where words[5] == "GMT": (day, month, year, time) = (words[1], words[2], words[3], words[4])
        case 5: (month, day, time, year) = (words[1], words[2], words[3], words[4])
        default: return nil
        }
        guard let position = Self.months.firstIndex(of: String(month)), let dayOfMonth = day.integer(in: 1...31),
            var full = year.integer(in: 0...9999),
            time.utf8.count == 8
        else { return nil }
        if year.utf8.count == 2 {
            let current = now.description.prefix(4).integer(in: 0...9999) ?? 0
            full += current / 100 * 100
            if full > current + 50 { full -= 100 }
        } else if year.utf8.count != 4 {
            return nil
        }
        func digits(_ number: Int, _ count: Int) -> String { String(String(number + 10_000).suffix(count)) }
        self.init("\(digits(full, 4))-\(digits(position + 1, 2))-\(digits(dayOfMonth, 2))T\(time)Z")
    }
}
