extension FormatScanner {
    /// RFC 9562 §4, the textual form.
    mutating func takeUUID() -> Bool {
        for (index, length) in [8, 4, 4, 4, 12].enumerated() {
            if index > 0, !take("-") { return false }
            if takeAll(where: Self.isHexDigit) != length { return false }
        }
        return true
    }

    /// `dotted-quad`: four numbers to 255 without leading zeros (RFC 3986 §3.2.2).
    mutating func takeIPv4() -> Bool {
        for index in 0..<4 {
            if index > 0, !take(".") { return false }
            let digits = rest.prefix(while: Self.isDigit)
            guard 1...3 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0"),
                let value = takeNumber(digits: digits.count), value < 256
            else { return false }
        }
        return true
    }

    /// RFC 4291 §2.2: eight groups, one run of zeros left out as `::`, the last two perhaps as an IPv4 address; no zone.
    mutating func takeIPv6() -> Bool {
        var groups = 0
        var isShortened = false
        if rest.starts(with: "::".utf8) {
            skip(2)
            isShortened = true
            if isAtEnd { return true }
        }
        while true {
            let digits = rest.prefix(while: Self.isHexDigit)
            if rest.dropFirst(digits.count).first == UInt8(ascii: ".") {
                guard takeIPv4() else { return false }
                groups += 2
                break
            }
            guard 1...4 ~= digits.count else { return false }
            skip(digits.count)
            groups += 1
            guard take(":") else { break }
            if take(":") {
                if isShortened { return false }
                isShortened = true
                if isAtEnd { break }
            }
        }
        return isShortened ? groups < 8 : groups == 8
    }

    /// `Mailbox` (RFC 5321 §4.1.2): local part a dot-atom or a quoted string; a domain or an address literal.
    mutating func takeEmail() -> Bool {
        if take("\"") {
            while let byte = peek, byte != UInt8(ascii: "\"") {
                if byte < 0x20 || byte > 0x7E { return false }
                skip(byte == UInt8(ascii: "\\") && rest.count > 1 ? 2 : 1)
            }
            guard take("\"") else { return false }
        } else {
            repeat {
                if takeAll(where: Self.isAtom) == 0 { return false }
            } while take(".")
        }
        guard take("@") else { return false }
        guard take("[") else { return takeHost() }
        let isAddress = rest.starts(with: "IPv6:".utf8) ? takeTaggedIPv6() : takeIPv4()
        return isAddress && take("]")
    }

    private mutating func takeTaggedIPv6() -> Bool {
        skip(5)
        return takeIPv6()
    }

    /// `Domain` (RFC 5321 §4.1.2): labels of letters, digits and inner hyphens.
    private mutating func takeHost() -> Bool {
        repeat {
            let label = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }
            if !(1...63 ~= label.count) || label.first == UInt8(ascii: "-") || label.last == UInt8(ascii: "-") { return false }
            skip(label.count)
        } while take(".")
        return true
    }

    /// `atext` (RFC 5322 §3.2.3).
    private static func isAtom(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte) }

    /// `URI` (RFC 3986 §3): with a scheme, in ASCII.
    mutating func takeURI() -> Bool {
        guard let first = peek, Self.isLetter(first) else { return false }
        _ = takeAll { Self.isLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) }
        return take(":") && takeHierarchy()
    }

    /// `URI-reference` (RFC 3986 §4.1).
    mutating func takeURIReference() -> Bool {
        var absolute = self
        if absolute.takeURI(), absolute.isAtEnd {
            self = absolute
            return true
        }
        if rest.starts(with: "//".utf8) { return takeHierarchy() }
        // A first segment with a colon would read as a scheme (§4.2).
        return takeCharacters("@") && peek != UInt8(ascii: ":") && takePath()
    }

    /// What follows the scheme.
    private mutating func takeHierarchy() -> Bool {
        if rest.starts(with: "//".utf8) {
            skip(2)
            guard takeAuthority() else { return false }
        }
        return takePath()
    }

    /// Path, query and fragment.
    private mutating func takePath() -> Bool {
        guard takeCharacters("/:@") else { return false }
        if take("?"), !takeCharacters("/:@?") { return false }
        if take("#"), !takeCharacters("/:@?") { return false }
        return true
    }

    /// `authority` (RFC 3986 §3.2). Where no path begins after it, the rest of the URI does.
    private mutating func takeAuthority() -> Bool {
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        if authority.contains(UInt8(ascii: "@")) {
            guard takeCharacters(":"), take("@") else { return false }
        }
        if take("[") {
            guard takeIPv6(), take("]") else { return false }
        } else if !takeCharacters("") {
            return false
        }
        if take(":") { _ = takeAll(where: Self.isDigit) }
        return isAtEnd || "/?#".utf8.contains(peek ?? 0)
    }

    /// Unreserved characters, sub-delimiters, encoded bytes and the given ones, any number (RFC 3986 §2). False for a bad percent-encoding.
    private mutating func takeCharacters(_ more: String) -> Bool {
        while let byte = peek {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 3, rest.dropFirst().prefix(2).allSatisfy(Self.isHexDigit) else { return false }
                skip(3)
            } else if PercentCoding.isUnreserved(byte) || "!$&'()*+,;=".utf8.contains(byte) || more.utf8.contains(byte) {
                skip(1)
            } else {
                break
            }
        }
        return true
    }
}
