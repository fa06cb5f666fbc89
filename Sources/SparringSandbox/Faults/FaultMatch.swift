import HTTPTypes
public import SparringJSON

extension Fault {
    /// Which of the calls at its place a fault is for. Every condition must hold; a `*` in a text stands for any characters.
    public struct Match: Sendable, Equatable {
        /// The tenant's id.
        public var account: String?
        /// The call's lane: the subject, consumer or device that it names, or the header `X-Sparring-Lane`.
        public var subject: String?
        public var headers: [Condition<String>] = []
        /// Of a call's body: a form's fields count as members.
        public var body: [Condition<JSONPointer>] = []
        /// The whole text of a socket's message.
        public var text: String?
        /// Of a socket's message.
        public var message: [Condition<JSONPointer>] = []

        public struct Condition<Subject: Sendable & Equatable>: Sendable, Equatable {
            public var of: Subject
            public var text: String
        }

        func fits(_ point: FaultPoint) -> Bool {
            let isMessage = point.kind == .message || point.kind == .notification
            if point.isSocket, !isOnMessage { return false }
            return (body.isEmpty || !isMessage && point.hasBody) && (!isOnMessage || isMessage)
        }

        /// Whether there is a condition on a socket's message.
        var isOnMessage: Bool { text != nil || !message.isEmpty }

        func holds(for occasion: FaultOccasion) -> Bool {
            if let account, !TextPattern.matches(occasion.account, account) { return false }
            if let subject, !TextPattern.matches(occasion.lane, subject) { return false }
            for condition in headers {
                guard let name = HTTPField.Name(condition.of) else { return false }
                guard occasion.headers[values: name].contains(where: { TextPattern.matches($0, condition.text) }) else { return false }
            }
            if let text, !TextPattern.matches(occasion.text ?? "", text) { return false }
            for condition in body + message {
                let values = occasion.bodies.lazy.compactMap { $0[condition.of] }
                guard values.contains(where: { TextPattern.matches($0.string ?? $0.text, condition.text) }) else { return false }
            }
            return true
        }
    }
}
