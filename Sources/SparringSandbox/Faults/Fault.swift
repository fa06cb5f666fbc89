import SparringContract
import SparringJournal

/// A disturbance on purpose: *where* it may strike, on what *match*, *when* it does, and *what* it does. Its text form is the same
/// everywhere: `WHERE EFFECT key=value …`.
public struct Fault: Sendable, Equatable {
    public var place: Target
    public var effect: Effect
    public var phase: Phase
    public var match: Match
    public var trigger: Trigger

    /// Where a fault may strike: `vendor.operationId`, `vendor.Tag.*`, `*.Tag.*`, `vendor.*` or `*`.
    public struct Target: Sendable, Equatable, CustomStringConvertible {
        /// Nil: any.
        public var vendor: String?
        public var tag: String?
        public var operation: String?

        public var description: String {
            if let operation { return "\(vendor ?? "*").\(operation)" }
            if let tag { return "\(vendor ?? "*").\(tag).*" }
            return vendor.map { "\($0).*" } ?? "*"
        }

        func covers(_ candidate: FaultPoint) -> Bool {
            (vendor == nil || vendor == candidate.vendor) && (tag == nil || tag == candidate.tag)
                && (operation == nil ? !candidate.isSocket : operation == candidate.id)
        }
    }

    /// When in an exchange it strikes, in the order of its life; of a socket's message, of the exchange that it and its response are.
    public enum Phase: String, Sendable, CaseIterable, Comparable {
        /// The request's head has been read, its body has not.
        case onRequestStart
        /// Some of its body has been read.
        case onRequestBody
        /// The request is read, nothing is decided.
        case onRequestEnd
        /// It is decided and committed; the answer has not begun. Also: something is about to be sent that answers nothing.
        case onResponseStart
        /// The head of the answer and a part of its body are sent.
        case onResponseBody
        /// All of the answer is sent.
        case onResponseEnd

        public static func < (a: Phase, b: Phase) -> Bool { a.place < b.place }
        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// Only the head of the request is known.
        var isEarly: Bool { self < .onRequestEnd }
    }

    /// What it does could be done to such a call or message, as far as place, effect and phase tell.
    func fits(_ point: FaultPoint) -> Bool {
        place.covers(point) && effect.phases(at: point).contains(phase) && match.fits(point) && (phase != .onRequestBody || point.hasBody)
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
