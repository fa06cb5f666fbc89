package import SparringJSON

/// The people behind the names that calls carry, such as a visitor's id or a login hint.
package struct People: Sendable {
    /// From the entry that proved it to the one that ended it, both included.
    package struct Holding: Sendable, Hashable {
        /// The name, as calls carry it.
        package var name: String
        package var actor: String
        /// The first entry that it covers; 0 for the name's first holder, who made the calls before as well.
        package var since: Int
        /// Nil while it lasts.
        package var until: Int?

        package init(name: String, actor: String, since: Int, until: Int?) {
            self.name = name
            self.actor = actor
            self.since = since
            self.until = until
        }

        func covers(_ entry: Int) -> Bool { since <= entry && entry <= until ?? .max }
    }

    private let holdings: [String: [Holding]]

    /// Nothing is known: every name stands for itself.
    package static let unknown = People([])

    package init(_ holdings: [Holding]) { self.holdings = Dictionary(grouping: holdings, by: \.name) }

    package var areUnknown: Bool { holdings.isEmpty }

    /// The actor who made a call; the name itself if nobody is known to have held it at that entry.
    package func actor(behind name: String, at entry: Int) -> String {
        holdings[name]?.last { $0.covers(entry) }?.actor ?? name
    }

    /// Entries of the journal, each with the person behind its lane, as `actor`, if one is known.
    package func naming(_ entries: [JSON]) -> [JSON] {
        guard !areUnknown else { return entries }
        return entries.map { entry in
            guard let lane = entry["lane"]?.string, let number = entry["number"]?.integer(in: 0...Int.max) else { return entry }
            let actor = self.actor(behind: lane, at: number)
            var entry = entry
            if actor != lane { entry["actor"] = .string(actor) }
            return entry
        }
    }
}

extension People {
    /// The name under which a socket's owner is proved: where its opening names nobody, a message on it may.
    package static func name(ofSocket number: Int, process: Int) -> String { "\(socketPrefix)\(process).\(number)" }

    package static let socketPrefix = "socket "

    /// Nil where nobody has been proved to be.
    package func owner(ofSocket number: Int, process: Int, at entry: Int) -> String? {
        guard !areUnknown else { return nil }
        return holdings[Self.name(ofSocket: number, process: process)]?.last { $0.covers(entry) }?.actor
    }
}
