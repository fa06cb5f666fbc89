public import HTTPTypes
import SparringContract
import SparringJournal

extension Fault {
    /// What a fault does.
    public enum Effect: Sendable, Equatable {
        /// One of the operation's unhappy answers, by its name, in place of a decision.
        case refusal(String)
        /// A bare status, in place of a decision or of the answer that was decided.
        case status(StatusAnswer)
        /// Sandbox time passes.
        case delay(DelayLaw)
        /// The answer is changed.
        case alteration(Alteration)
        /// The connection is not what it should be.
        case cut(Cut)
        /// The answer comes slowly, on the wall clock.
        case pace(Pace)
        /// A socket ends, or falls silent.
        case ending(Ending)
        /// Something on its way to a socket's client, or from it, gets lost or changed.
        case message(MessageEffect)
        /// Something that the vendor does amiss by itself, declared in its contract (`x-effects`).
        case vendor(VendorEffect)
    }

    public struct StatusAnswer: Sendable, Equatable {
        public var code: Int
        public var retryAfter: Duration?
        /// The media type of a gateway's page, in place of the vendor's own shape.
        public var type: String?
        /// That page; nil: a usual one.
        public var body: String?
        /// Header fields that it has besides, such as `Location` and `Set-Cookie`.
        public var headers = HTTPFields()
    }

    public enum Alteration: Sendable, Equatable {
        /// The second half of the body is missing, and the length fits.
        case malformedJSON
        case wrongContentType(String)
        case emptyBody
    }

    public enum Cut: Sendable, Equatable {
        /// The client reads `ECONNRESET`.
        case reset
        /// The connection is closed without an answer.
        case emptyResponse
        /// A chunked answer goes on with what is no chunk, and the connection is closed.
        case malformedChunk
        /// So many bytes that are no HTTP, then the connection is closed.
        case randomData(count: Int)
        /// Nothing more comes; the connection stays open.
        case stall
        /// Fewer bytes than announced; of a message, fewer than it has. Nil: half of them.
        case truncate(bytes: Int?)
        /// Closed after a whole answer that did not say so.
        case disconnectAtEnd
    }

    public enum Pace: Sendable, Equatable {
        case slices(size: Int, gap: Duration)
        case bandwidth(bytesPerSecond: Int)
    }

    public struct Ending: Sendable, Equatable {
        public enum How: Sendable, Equatable {
            case close(code: UInt16, reason: String)
            /// TCP ends without a close frame: the client sees 1006.
            case abort
            /// Nothing is read, answered or sent any more; TCP stays up.
            case freeze
        }

        public var how: How
        /// Messages of the client's that still go well first.
        public var afterFrames = 0
        /// Sandbox time that still passes first.
        public var after: Duration?
    }

    public enum MessageEffect: String, Sendable, CaseIterable {
        case drop, duplicate
        /// Sent after the next one.
        case reorder
        /// One byte of it is no UTF-8 any more (RFC 6455 §8.1: the client must close with 1007).
        case corrupt
    }

    public struct VendorEffect: Sendable, Equatable {
        public var word: String
        public var parameters: [String: String]
    }
}

extension Fault.Effect {
    /// The word in the text form; those in capitals are WireMock's and MockWebServer's.
    var word: String {
        switch self {
        case .refusal(let name): name
        case .status: "status"
        case .delay: "delay"
        case .alteration(.malformedJSON): "malformed-json"
        case .alteration(.wrongContentType): "wrong-content-type"
        case .alteration(.emptyBody): "empty-body"
        case .cut(.reset): "CONNECTION_RESET_BY_PEER"
        case .cut(.emptyResponse): "EMPTY_RESPONSE"
        case .cut(.malformedChunk): "MALFORMED_RESPONSE_CHUNK"
        case .cut(.randomData): "RANDOM_DATA_THEN_CLOSE"
        case .cut(.stall): "STALL"
        case .cut(.truncate): "truncate"
        case .cut(.disconnectAtEnd): "DISCONNECT_AT_END"
        case .pace(.slices): "slicer"
        case .pace(.bandwidth): "bandwidth"
        case .ending(let ending): ending.word
        case .message(let effect): effect.rawValue
        case .vendor(let effect): effect.word
        }
    }

    /// When it can strike such a call or message, the usual phase first; empty where it cannot at all.
    func phases(at point: FaultPoint) -> [Fault.Phase] {
        switch self {
        case .refusal(let name): point.refusals.contains(name) ? [.onRequestEnd] : []
        case .vendor(let effect): point.vendorEffects.contains { $0.word == effect.word } ? [.onRequestEnd] : []
        default: FaultForm.of(self)?.phases[point.kind] ?? []
        }
    }
}

extension Fault.Ending {
    var word: String {
        switch how {
        case .close: "close"
        case .abort: "abort"
        case .freeze: "freeze"
        }
    }
}
