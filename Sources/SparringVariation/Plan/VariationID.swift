import SparringContract
package import SparringJSON

/// One change at one place: `V12@liveperson.eventsPublished/alice/3#/body/changes/0/serverTimestamp`. It is the same in every run in which that answer or
/// message comes about, whatever else is varied.
package struct VariationID: Sendable, Hashable, CustomStringConvertible {
    /// The part of a vendor's traffic that is changed.
    package enum Subject: Sendable, Hashable {
        /// The answer, or the message, of this name that a lane gets as its n-th, counted from 1.
        case sent(point: String, lane: String, ordinal: Int)
        /// Every place of the vendor's with one value, by a digest of it; or, for numbers, with one name.
        case value(vendor: String)
    }

    package var family: VariationFamily
    package var subject: Subject
    /// A JSON Pointer into the body, or a word such as `chunks`; of a ``Subject/value(vendor:)`` what tells it from others.
    package var place: String
    /// The number of the family's way, from 0, the simplest; nil: the one that the seed draws.
    package var choice: Int?

    package init(_ family: VariationFamily, _ subject: Subject, _ place: String, choice: Int? = nil) {
        (self.family, self.subject, self.place, self.choice) = (family, subject, place, choice)
    }

    /// Without ``choice``: the text that is drawn by.
    package var drawn: VariationID { VariationID(family, subject, place) }

    package var description: String {
        let head =
            switch subject {
            case .sent(let point, let lane, let ordinal): "\(point)/\(Self.escaped(lane))/\(ordinal)"
            case .value(let vendor): vendor
            }
        return "\(family.id)@\(head)#\(Self.escaped(place, keeping: "/"))" + (choice.map { "=\($0)" } ?? "")
    }

    /// - Throws: ``ConfigurationError`` with what is wrong, at the root.
    package init(_ text: String) throws(ConfigurationError) {
        func refused(_ why: String) -> ConfigurationError {
            ConfigurationError(
                .root, "\(text.abbreviated(to: 200).quoted) is not a variation: \(why), such as V5@vendor.operation/lane/1#/status")
        }
        guard let at = text.firstIndex(of: "@") else { throw refused("an id is FAMILY@OPERATION/LANE/NUMBER#PLACE") }
        guard let family = VariationFamily(id: String(text[..<at])) else { throw refused("there is no family \(text[..<at])") }
        let rest = text[text.index(after: at)...]
        guard let hash = rest.firstIndex(of: "#") else { throw refused("a '#' stands before the place") }
        var place = rest[rest.index(after: hash)...]
        if let equals = place.lastIndex(of: "=") {
            guard let number = String(place[place.index(after: equals)...]).integer(in: 0...99) else {
                throw refused("a number stands behind '='")
            }
            choice = Int(number)
            place = place[..<equals]
        }
        guard let decoded = Self.decoded(place) else { throw refused("'%' is followed by two hexadecimal digits") }
        let parts = rest[..<hash].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 1: subject = .value(vendor: parts[0])
        case 3:
            guard let lane = Self.decoded(parts[1]) else { throw refused("'%' is followed by two hexadecimal digits") }
            guard let ordinal = parts[2].integer(in: 1...Int64(Int32.max)) else { throw refused("expected a number above 0 before '#'") }
            subject = .sent(point: parts[0], lane: lane, ordinal: Int(ordinal))
        default: throw refused("OPERATION/LANE/NUMBER stands before '#'")
        }
        (self.family, self.place) = (family, decoded)
    }

    /// Percent-encodes the characters that would end a part of an id.
    private static func escaped(_ text: String, keeping kept: String = "") -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            let isMark = "/#%=@ ".unicodeScalars.contains(scalar) && !kept.unicodeScalars.contains(scalar)
            if isMark || scalar.value < 0x20 || scalar.value == 0x7F {
                escaped += "%" + [UInt8(scalar.value)].hex.uppercased()
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        PercentCoding.decoded(text.utf8).map { String(decoding: $0, as: UTF8.self) }
    }
}
