internal import SparringJSON
internal import SparringPattern

extension SchemaChecker {
    mutating func check(number: JSON, by rules: SchemaRules.NumberRules) {
        if let minimum = rules.minimum, number.isLess(than: minimum) {
            report(.range, "\(number) is less than the minimum \(minimum)", .drop(.minimum))
        }
        if let maximum = rules.maximum, maximum.isLess(than: number) {
            report(.range, "\(number) is greater than the maximum \(maximum)", .drop(.maximum))
        }
        if let bound = rules.exclusiveMinimum, !bound.isLess(than: number) {
            report(.range, "\(number) is not greater than \(bound)", .drop(.exclusiveMinimum))
        }
        if let bound = rules.exclusiveMaximum, !number.isLess(than: bound) {
            report(.range, "\(number) is not less than \(bound)", .drop(.exclusiveMaximum))
        }
        if let divisor = rules.multipleOf, !number.isMultiple(of: divisor) {
            report(.range, "\(number) is not a multiple of \(divisor)", .drop(.multipleOf))
        }
        if let format = rules.format, !format.accepts(number) {
            report(.format, "\(number) is not a valid \(format.rawValue)", .drop(.format))
        }
    }

    /// A time span is compared by its seconds, however it is written.
    mutating func check(span value: JSON, by rules: SchemaRules.NumberRules) {
        guard let span = Duration(configured: value) else {
            return report(.format, "\(value.text.abbreviated(to: 100)) is not \(SchemaFormat.span)", .drop(.format))
        }
        let seconds = JSON.number(Double(span.milliseconds) / 1000)
        func words(_ bound: JSON) -> String {
            bound == 0 ? "nothing" : Duration.milliseconds(Int64(clamped: (bound.double ?? 0) * 1000)).words
        }
        if let minimum = rules.minimum, seconds.isLess(than: minimum) {
            report(.range, "\(value.quoted) is less than \(words(minimum))", .drop(.minimum))
        }
        if let bound = rules.exclusiveMinimum, !bound.isLess(than: seconds) {
            report(.range, "\(value.quoted) is not more than \(words(bound))", .drop(.exclusiveMinimum))
        }
        if let maximum = rules.maximum, maximum.isLess(than: seconds) {
            report(.range, "\(value.quoted) is more than \(words(maximum))", .drop(.maximum))
        }
    }

    /// Lengths count code points (validation §6.3). The rules are looked at one by one: a copy of all of them would cost more than most checks.
    mutating func check(string: String, by schema: Int) {
        if let minimum = rules[schema].string.minLength, string.utf8.count / 4 < minimum, string.unicodeScalars.count < minimum {
            report(.length, "\(string.quoted) is shorter than \(count(minimum, "character"))", .drop(.minLength))
        }
        // A code point takes one to four bytes, so the number of bytes settles most cases.
        if let maximum = rules[schema].string.maxLength, string.utf8.count > maximum,
            string.utf8.count / 4 > maximum || string.unicodeScalars.count > maximum
        {
            // No more is looked at: `maxLength` bounds what the rest costs.
            return report(.length, "\(string.quoted) is longer than \(count(maximum, "character"))", .drop(.maxLength))
        }
        if let pattern = rules[schema].string.pattern, !pattern.isFound(in: string) {
            report(
                .pattern, "\(string.quoted) " + (rules[schema].string.expected.map { "is not \($0)" } ?? "does not match \(pattern.text)"),
                .drop(.pattern)
            )
        }
        if let format = rules[schema].string.format, !format.accepts(string) {
            report(.format, "\(string.quoted) is not a valid \(format.rawValue)\(format.example)", .drop(.format))
        }
    }
}

extension JSON {
    fileprivate func isLess(than other: JSON) -> Bool {
        if case .integer(let a) = self, case .integer(let b) = other { return a < b }
        return (double ?? .nan) < (other.double ?? .nan)
    }

    fileprivate func isMultiple(of divisor: JSON) -> Bool {
        if case .integer(let a) = self, case .integer(let b) = divisor { return a.isMultiple(of: b) }
        guard let value = double, let divisor = divisor.double else { return false }
        // 0.0075 is a multiple of 0.0001 to everyone but binary fractions: the quotient is whole where the remainder is not zero.
        let quotient = value / divisor
        return quotient.isFinite ? quotient.rounded() == quotient : value.truncatingRemainder(dividingBy: divisor) == 0
    }
}
