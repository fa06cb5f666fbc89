import HTTPTypes
import SparringJSON

extension Fault {
    /// The conditions on the calls at its place that a fault is for. All of them must hold; a `*` in a text stands for any characters.
    package struct Match: Sendable {
        /// The tenant's id.
        var account: String?
        /// The call's lane: the subject, consumer or device that it names, or the header `X-Sparring-Lane`.
        var subject: String?
        var headers: [Condition<String>] = []
        /// Conditions on a call's body: a form's fields count as members.
        var body: [Condition<JSONPointer>] = []
        /// The whole text of a socket's message.
        var text: String?
        /// Conditions on a socket's message.
        var message: [Condition<JSONPointer>] = []

        struct Condition<Subject: Sendable>: Sendable {
            var of: Subject
            var text: String
        }

        static let parameters: [FaultParameter] = [
            .init("account", .text, "Strikes only calls to the tenant with this id. * matches any characters.", example: "12345678"),
            .init("subject", .text, "Strikes only calls of this lane, such as a consumer. * matches any characters.", example: "ada"),
            .init("header:", .header(reserved: []), "Strikes only calls with this header field. * matches any characters."),
            .init("body:", .pointer, "Strikes only calls with this value at a JSON Pointer in the body. * matches any characters."),
            .init("message", .text, "Strikes only messages with this text. * matches any characters.", example: "*ping*"),
            .init("message:", .pointer, "Strikes only messages with this value at a JSON Pointer. * matches any characters."),
        ]

        init(_ given: FaultValues) {
            (account, subject, text) = (given["account"], given["subject"], given["message"])
            headers = given.texts(prefix: "header:").map { Condition(of: $0.rest, text: $0.text) }
            func pointers(_ prefix: String) -> [Condition<JSONPointer>] {
                given.texts(prefix: prefix).compactMap { name, text in JSONPointer(name).map { Condition(of: $0, text: text) } }
            }
            (body, message) = (pointers("body:"), pointers("message:"))
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
