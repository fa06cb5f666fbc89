/// A disturbance on purpose: *where* it may strike, on what *match*, *when* it does, and *what* it does. Its text form is the same
/// everywhere: `WHERE EFFECT key=value …`.
package struct Fault: Sendable {
    var place: Target
    var effect: FaultEffect
    /// Does it to what the fault strikes.
    var act: FaultEffect.Act
    package var phase: Phase
    var match: Match
    var trigger: Trigger
    /// Everything behind the effect, in the order of the text form and without defaults.
    var parameters: [(name: String, value: String)]

    /// The text form.
    package var text: String {
        ([place.description, effect.word] + parameters.map { "\($0.name)=\(FaultWords.quoted($0.value))" }).joined(separator: " ")
    }

    /// The points at which a fault may strike: `vendor.operationId`, `vendor.Tag.*`, `*.Tag.*`, `vendor.*` or `*`.
    package struct Target: Sendable, CustomStringConvertible {
        /// Nil: any.
        var vendor: String?
        var tag: String?
        var operation: String?

        package var description: String {
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
    package enum Phase: String, Sendable, CaseIterable, Comparable {
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

        package static func < (a: Phase, b: Phase) -> Bool { a.place < b.place }
        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// Only the head of the request is known.
        var isEarly: Bool { self < .onRequestEnd }
    }

    /// Whether it could strike such a call or message, as far as place, effect, phase and conditions show.
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
