import SparringContract
import SparringJournal

/// A disturbance on purpose: *where* it may strike, *when* it does, and *what* it does. Its text form is the same everywhere:
/// `WHERE EFFECT key=value …`.
public struct Fault: Sendable, Equatable {
    public enum Effect: Sendable, Equatable {
        /// One of the operation's unhappy answers, by its name, in place of a decision.
        case refusal(String)
        /// A bare status in place of a decision.
        case status(code: Int, retryAfter: Duration?)
        /// Sandbox time passes first.
        case delay(Duration)
        /// The client reads `ECONNRESET`.
        case reset
        /// The connection is closed without an answer.
        case emptyResponse

        /// The word in the text form; those in capitals are WireMock's.
        var word: String {
            switch self {
            case .refusal(let name): name
            case .status: "status"
            case .delay: "delay"
            case .reset: "CONNECTION_RESET_BY_PEER"
            case .emptyResponse: "EMPTY_RESPONSE"
            }
        }
    }

    /// When in an exchange it strikes.
    public enum Phase: String, Sendable, CaseIterable {
        /// The request is read, nothing is decided.
        case onRequestEnd
        /// It is decided and committed; the answer has not begun.
        case onResponseStart
    }

    public enum Scope: String, Sendable, CaseIterable {
        case sandbox, lane
    }

    /// Which of the calls that match it strikes.
    public struct Trigger: Sendable, Equatable {
        /// At most so often.
        public var times: Int?
        /// Not the first so many.
        public var skip = 0
        /// Every so-manieth only, beginning with the first.
        public var every = 1
        /// Each of those with this chance, drawn from the seed.
        public var probability: Double?
        /// Whether ``times``, ``skip`` and ``every`` count the sandbox's calls or each lane's.
        public var per = Scope.sandbox
    }

    public var place: Place
    public var effect: Effect
    public var phase: Phase
    public var trigger: Trigger

    /// Where a fault may strike: `vendor.operationId`, `vendor.Tag.*`, `*.Tag.*`, `vendor.*` or `*`.
    public struct Place: Sendable, Equatable, CustomStringConvertible {
        /// Nil: any.
        public var vendor: String?
        public var tag: String?
        public var operation: String?

        public var description: String {
            if let operation { return "\(vendor ?? "*").\(operation)" }
            if let tag { return "\(vendor ?? "*").\(tag).*" }
            return vendor.map { "\($0).*" } ?? "*"
        }

        func covers(_ candidate: ContractOperation) -> Bool {
            (vendor == nil || vendor == candidate.vendor) && (tag == nil || tag == candidate.tag)
                && (operation == nil || operation == candidate.id)
        }
    }
}

/// Why a fault was not armed.
public struct FaultRefused: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String
    /// Known words that may have been meant.
    public var nearest: [String]

    public init(_ reason: String, nearest: [String] = []) {
        self.reason = reason
        self.nearest = nearest
    }

    public var description: String {
        nearest.isEmpty ? reason : "\(reason); nearest: \(nearest.joined(separator: ", "))"
    }
}
