import SparringJSON
import SparringJournal

/// The events that a rule judges together.
enum Scope: String, Sendable, CaseIterable {
    /// One person's, under all of their names; a name that nobody has proved stands for itself.
    case lane
    /// Those of one lane and operation.
    case operation
    /// One person's on one device.
    case device
    /// Those that carry one name, such as a visitor's id. Several people may sign in under it, one after the other.
    case name
    /// All of the sandbox: a client is one whether or not its calls say who calls.
    case sandbox

    init(_ declaration: Declaration) throws(ConfigurationError) {
        let word = try declaration.word("per", among: Self.allCases.map(\.rawValue))
        self = word.flatMap { Scope(rawValue: $0) } ?? .lane
    }

    func key(_ event: Event) -> String {
        switch self {
        case .lane: event.lane
        case .device: event.lane + " " + (event.device ?? "")
        case .name: event.device ?? event.lane
        case .operation: event.lane + " " + event.operation
        case .sandbox: ""
        }
    }
}

extension Declaration {
    /// Nil where there is none.
    func duration(_ name: String) throws(ConfigurationError) -> Duration? {
        guard let text = try optionalText(name) else { return nil }
        return try duration(text, in: name)
    }

    func durations(_ name: String) throws(ConfigurationError) -> [Duration] {
        try texts(name).map { text throws(ConfigurationError) in try duration(text, in: name) }
    }

    /// - Parameter what: the words for what is missing where there is none; nil: it may be.
    func need<Items: Collection>(_ items: Items, _ name: String, _ what: String?) throws(ConfigurationError) -> Items {
        if items.isEmpty, let what { throw missing(name, what) }
        return items
    }

    func missing(_ name: String, _ what: String) -> ConfigurationError {
        ConfigurationError(pointer, "'\(name)' is missing: \(what)")
    }

    func count(_ name: String) throws(ConfigurationError) -> Int? {
        try value(name, "a number from 1 to 1000") { $0.integer(in: 1...1000) }
    }
}

extension Double {
    /// Seconds as people read them.
    var seconds: String {
        if abs(self) < 1 { return "\(Int64(clamped: (self * 1000).rounded())) ms" }
        if abs(self) < 120 { return "\((self * 10).rounded() / 10) s" }
        return "\((self / 6).rounded() / 10) min"
    }
}
