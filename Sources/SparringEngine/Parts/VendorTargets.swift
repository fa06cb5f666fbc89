package import SparringContract
import SparringJSON

/// The hosts of vendors that may be called, as they were given: nothing else is ever connected to.
package struct VendorTargets: Sendable {
    /// `liveperson=https://…`, or of a part of the vendor's operations: `liveperson.Login=https://…`, `liveperson.readUnread=https://…`.
    package struct Target: Sendable, Hashable {
        package let vendor: String
        /// A tag or an operation's id; nil: all operations that no other target has.
        package let part: String?
        /// `http` or `https`.
        package let scheme: String
        package let authority: String
        /// The prefix of the vendor's paths, without a `/` at its end.
        package let path: String

        /// Nobody else is bothered.
        package var isOnThisMachine: Bool {
            let host = Authority(authority)?.host.lowercased() ?? ""
            return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
        }

        /// With a request's path and query.
        package func url(_ target: String) -> String { "\(scheme)://\(authority)\(path)\(target)" }
    }

    /// A target that cannot be read.
    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
    }

    package private(set) var all: [Target] = []
    /// The tags of the brand's own operations, by vendor.
    private let brandTags: [String: Set<String>]

    package init(_ texts: [String], _ contracts: [Contract]) throws(Malformed) {
        brandTags = Dictionary(uniqueKeysWithValues: contracts.map { ($0.vendor, $0.brandTags) })
        for text in texts { all.append(try Self.target(text, contracts)) }
        for (index, target) in all.enumerated() {
            if all[..<index].contains(where: { ($0.vendor, $0.part) == (target.vendor, target.part) }) {
                throw Malformed(description: "there are two targets for \(target.vendor)\(target.part.map { ".\($0)" } ?? "")")
            }
        }
    }

    private static func target(_ text: String, _ contracts: [Contract]) throws(Malformed) -> Target {
        guard let equals = text.firstIndex(of: "=") else {
            throw Malformed(
                description: "'\(text)' is not VENDOR=URL, such as '\(contracts.first?.vendor ?? "")=https://api.vendor.example'")
        }
        let words = text[..<equals].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let contract = contracts.first(where: { $0.vendor == words.first }) else {
            let known = contracts.map(\.vendor).sorted().joined(separator: ", ")
            throw Malformed(description: "there is no vendor '\(words.first ?? "")'; known: \(known)")
        }
        if words.count > 1, !contract.operations.contains(where: { $0.tag == words[1] || $0.id == words[1] }) {
            let tags = Set(contract.operations.map(\.tag)).sorted().joined(separator: ", ")
            throw Malformed(description: "\(contract.vendor) has no tag or operation '\(words[1])'; tags: \(tags)")
        }
        let url = String(text[text.index(after: equals)...])
        guard let parts = URIParts(url), ["http", "https"].contains(parts.scheme), Authority(String(parts.authority)) != nil else {
            throw Malformed(description: "'\(url)' is not the http or https URL of a vendor")
        }
        guard !parts.rest.contains(where: { "?#".contains($0) }) else {
            throw Malformed(description: "'\(url)' has a query or a fragment: the vendor's paths follow it")
        }
        return Target(
            vendor: contract.vendor, part: words.count > 1 ? words[1] : nil, scheme: String(parts.scheme),
            authority: String(parts.authority), path: String(parts.rest.hasSuffix("/") ? parts.rest.dropLast() : parts.rest))
    }

    /// The most particular one that an operation has.
    package func target(of operation: ContractOperation) -> Target? {
        let ofVendor = all.filter { $0.vendor == operation.vendor }
        if let own = ofVendor.first(where: { $0.part == operation.id }) ?? ofVendor.first(where: { $0.part == operation.tag }) {
            return own
        }
        return isBrands(operation) ? nil : ofVendor.first { $0.part == nil }
    }

    /// The same for a call that names a host: its own target, if it is one.
    package func target(of operation: ContractOperation, at host: String?) -> Target? {
        guard let target = target(of: operation) else { return nil }
        return all.first { $0.vendor == operation.vendor && $0.authority == host } ?? target
    }

    /// It is not at the vendor's.
    package func isBrands(_ operation: ContractOperation) -> Bool { brandTags[operation.vendor]?.contains(operation.tag) ?? false }

    package var vendors: Set<String> { Set(all.map(\.vendor)) }

    /// Their names, without ports.
    package var hosts: [ServerHost] { all.compactMap { Authority($0.authority).flatMap { ServerHost($0.host) } } }
}
