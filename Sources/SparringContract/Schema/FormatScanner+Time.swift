extension FormatScanner {
    /// `full-date` (RFC 3339 §5.6), a day that exists.
    mutating func takeDate() -> Bool {
        guard let year = takeNumber(digits: 4), take("-"), let month = takeNumber(digits: 2), take("-"), let day = takeNumber(digits: 2),
            1...12 ~= month
        else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return 1...days[month - 1] ~= day
    }

    /// `date-time` (RFC 3339 §5.6). A leap second stands only at the end of a UTC day (§5.7).
    mutating func takeDateTime() -> Bool {
        takeDate() && takeLetter("T") && takeTime()
    }

    /// `full-time` (RFC 3339 §5.6).
    mutating func takeTime() -> Bool {
        guard let hour = takeNumber(digits: 2), take(":"), let minute = takeNumber(digits: 2), take(":"),
            let second = takeNumber(digits: 2), hour < 24, minute < 60, second <= 60
        else { return false }
        if take("."), takeAll(where: Self.isDigit) == 0 { return false }
        guard let offset = takeOffset() else { return false }
        return second < 60 || (hour * 60 + minute - offset + 2 * 1440) % 1440 == 1439
    }

    /// `time-offset`, in minutes.
    private mutating func takeOffset() -> Int? {
        if takeLetter("Z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hour = takeNumber(digits: 2), take(":"), let minute = takeNumber(digits: 2), hour < 24, minute < 60
        else {
            return nil
        }
        return (isEast ? 1 : -1) * (hour * 60 + minute)
    }
}
