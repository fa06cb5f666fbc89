internal import Foundation

/// A citation of the project's notes on a vendor's wire protocol, such as "CXone reference 3.7", and where it leads:
/// `contracts/reference/VENDOR.md`.
struct Citation {
    let vendor: String
    /// The number of a heading, or the id in the first cell of a table's row, such as `C18`.
    let place: String

    /// The citations in a text, in its order: "Khoros reference 1.5 and 1.6" has two.
    static func all(in text: String) -> [Citation] {
        let places = #/([A-Za-z]+) reference ((?:[A-Z]{1,3}-?)?\d[\d.]*(?:(?:, | and | to | or )(?:[A-Z]{1,3}-?)?\d[\d.]*)*)/#
        return text.matches(of: places).flatMap { match in
            match.2.matches(of: #/(?:[A-Z]{1,3}-?)?\d+(?:\.\d+)*/#).map { Citation(vendor: String(match.1), place: String($0.0)) }
        }
    }

    /// `…/reference/cxone.md:279: 3.7 Large event download`; nil if the folder has no such page or place.
    ///
    /// - Parameter folder: the contracts' folder.
    func line(in folder: String) -> String? {
        let page = "\(folder)/reference/\(vendor.lowercased()).md"
        guard let text = try? String(contentsOfFile: page, encoding: .utf8) else { return nil }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == "#" || $0 == "|" || $0 == " " }
            guard line.first == "#" || line.first == "|", words.hasPrefix(place) else { continue }
            let rest = words.dropFirst(place.count)
            if line.first == "#", rest.hasPrefix(" ") || rest.hasPrefix(". ") { return "\(page):\(index + 1): \(words)" }
            if line.first == "|", rest.hasPrefix(" |") { return "\(page):\(index + 1): \(place)" }
        }
        return nil
    }
}
