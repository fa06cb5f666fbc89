import SparringJSON

extension FaultEffect {
    static let close = ending(
        "close", "the socket is closed, with a code or without one",
        [
            .init(
                "code", .number(1000...4999), "Close code of `close`, one that an endpoint may send.",
                example: "1011",
                narrowing: [
                    "pattern": "^0*[1-4][0-9]{3}$",
                    "not": ["type": "integer", "anyOf": [["minimum": 1004, "maximum": 1006], ["minimum": 1015, "maximum": 2999]]],
                ]),
            .init(
                "reason", .text, "Reason of `close`.", example: "try later", unwritten: "",
                needs: ("code", "a reason follows a code (RFC 6455 §5.5.1)")),
        ]
    ) { given throws(FaultRefused) in
        guard let code: Int = given["code"] else { return .close(code: Fault.Ending.noCode, reason: "") }
        // What an endpoint may send (RFC 6455 §7.4).
        guard [1000...1003, 1007...1014, 3000...4999].contains(where: { $0.contains(code) }) else {
            throw FaultRefused("code=\(code) must not be sent (RFC 6455 §7.4); for 1006, use the effect 'abort'")
        }
        return .close(code: UInt16(clamping: code), reason: given["reason"] ?? "")
    }
}
