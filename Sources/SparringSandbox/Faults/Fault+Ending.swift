import SparringJSON

extension Fault {
    /// A socket ends, or falls silent.
    package struct Ending: Sendable {
        package enum How: Sendable, Equatable {
            case close(code: UInt16, reason: String)
            /// TCP ends without a close frame: the client sees 1006.
            case abort
            /// Nothing is read, answered or sent any more; TCP stays up.
            case freeze

            /// The same as the admin API takes it, for the journal.
            var json: JSON {
                switch self {
                case .close(let code, let reason):
                    .members([
                        "how": "close", "code": .integer(Int64(code)), "reason": reason.isEmpty ? nil : .string(reason),
                    ])
                case .abort: ["how": "abort"]
                case .freeze: ["how": "freeze"]
                }
            }

            /// - Parameter verb: `closed` or `closing`.
            func words(_ verb: String) -> String {
                switch self {
                case .close(Fault.Ending.noCode, _): "\(verb) without a code"
                case .close(let code, _): "\(verb) with \(code)"
                case .abort: "\(verb) without a close frame"
                case .freeze: "frozen"
                }
            }
        }

        /// Stands for a close frame without a code, and is never in one (RFC 6455 §7.4.1).
        static let noCode: UInt16 = 1005

        /// The fault's number.
        package var by: Int
        /// The effect's.
        var word: String
        package var how: How
        package var phase: Phase
        /// Messages of the client's that still go well first.
        package var afterFrames = 0
        /// Sandbox time that still passes first.
        package var after: Duration?

        var words: String { how.words("closed") }

        var later: String {
            if let after { return "after \(after.words)" }
            return afterFrames > 0 ? "after \(afterFrames) messages of the client's" : "once it is open"
        }
    }
}

extension FaultEffect {
    /// An effect that ends a socket.
    static func ending(
        _ word: String, _ summary: String, _ parameters: [FaultParameter] = [],
        how: @escaping @Sendable (FaultValues) throws(FaultRefused) -> Fault.Ending.How
    ) -> FaultEffect {
        FaultEffect(word, summary, at: .sockets, parameters + endingParameters) { given throws(FaultRefused) in
            let (how, frames, after): (_, Int, Duration?) = (try how(given), given["after-frames"] ?? 0, given["after"])
            return { strike, all in
                all.add(Fault.Ending(by: strike.number, word: word, how: how, phase: strike.phase, afterFrames: frames, after: after))
            }
        }
    }

    private static let endingParameters: [FaultParameter] = [
        .init(
            "after-frames", .number(0...1 << 30),
            "Messages of the client that still succeed before the socket ends. Not together with `after`.", example: "3",
            unwritten: "0", excludes: "after"),
        .init("after", .duration(), "Sandbox time before the socket ends. Not together with `after-frames`.", example: "30s"),
    ]
}
