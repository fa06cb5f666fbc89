/// Who is behind the names under which calls come, such as a visitor's id or a login hint.
public struct People: Sendable {
    /// From the entry that proved it to the one that ended it, both included.
    public struct Holding: Sendable, Hashable {
        /// The name, as calls carry it.
        public var name: String
        public var actor: String
        /// The first entry that it covers; 0 for the name's first holder, who made the calls before as well.
        public var since: Int
        /// Nil while it lasts.
        public var until: Int?

        public init(name: String, actor: String, since: Int, until: Int?) {
            self.name = name
            self.actor = actor
            self.since = since
            self.until = until
        }

        func covers(_ entry: Int) -> Bool { since <= entry && entry <= until ?? .max }
    }

    private let holdings: [String: [Holding]]

    /// Nothing is known: every name stands for itself.
    public static let unknown = People([])

    public init(_ holdings: [Holding]) { self.holdings = Dictionary(grouping: holdings, by: \.name) }

    public var areUnknown: Bool { holdings.isEmpty }

    /// Who made a call; the name itself if nobody is known to have held it at that entry.
    public func actor(behind name: String, at entry: Int) -> String {
        holdings[name]?.last { $0.covers(entry) }?.actor ?? name
    }
}

extension People {
    /// The name under which a socket's owner is proved: where its opening names nobody, a message on it may.
    public static func name(ofSocket number: Int, process: Int) -> String { "\(socketPrefix)\(process).\(number)" }

    public static let socketPrefix = "socket "

    /// Nil where nobody has been proved to be.
    public func owner(ofSocket number: Int, process: Int, at entry: Int) -> String? {
        guard !areUnknown else { return nil }
        return holdings[Self.name(ofSocket: number, process: process)]?.last { $0.covers(entry) }?.actor
    }
}
