package import HTTPTypes
package import SparringJSON

/// One thing that happened in a sandbox. Entries are numbered from 1 in the order in which they were committed; that order is the
/// sandbox's timeline.
public struct JournalEntry: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A request and its answer.
        case exchange
        /// A message that came in on a socket, and its reply.
        case message
        /// A message that was sent on a socket unasked.
        case notification
        /// A socket was closed, or is being closed.
        case socket
        /// A call that an emulated vendor made to a server that is not this process.
        case outbound
        /// Scheduled work of a vendor's was done when it fell due.
        case due
        /// A fault was armed or removed.
        case fault
        /// The sandbox's clock was frozen, advanced, set running.
        case clock
        /// Somebody broke the contract: the client in a request, or Sparring in an answer.
        case finding
        /// A connection on a TLS port with a defect brought no request: its client turned away, or still waits for the handshake.
        case connection
        /// The client went away while its request waited, or its answer could not be sent.
        case hangUp = "hang-up"
        /// A tenant, a key or the sandbox itself was changed.
        case configuration
        /// A client under test told something that is not seen on the wire.
        case mark
    }

    /// When an entry's cause reached the process, on the machine's own clocks.
    package struct Moment: Sendable, Hashable {
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        package var wall: Int64
        /// Nanoseconds of a clock that never runs backwards; only comparable within one ``process``.
        package var monotonic: Int64
        /// How many processes had served this database before, plus one.
        package var process: Int
        /// Nanoseconds that the machine has kept that process waiting by then (``SchedulingDelay``).
        package var delayed: Int64
        /// Nanoseconds for which the machine had no processor free by then.
        package var busy: Int64
        /// Nanoseconds for which its connection had been open, if it is the first request on that (``Arrival/opening``); otherwise 0.
        package var opening: Int64

        package init(wall: Int64, monotonic: Int64, process: Int, delayed: Int64 = 0, busy: Int64 = 0, opening: Int64 = 0) {
            self.wall = wall
            self.monotonic = monotonic
            self.process = process
            self.delayed = delayed
            self.busy = busy
            self.opening = opening
        }
    }

    /// A call that another call brought about: who it was.
    public struct Origin: Sendable, Hashable {
        public var operation: String
        public var lane: String
        public var ordinal: Int

        public init(operation: String, lane: String, ordinal: Int) {
            self.operation = operation
            self.lane = lane
            self.ordinal = ordinal
        }

        /// - Parameter json: ``json``, or an entry with these members.
        package init(_ json: JSON) {
            self.init(
                operation: json["operation"]?.string ?? "", lane: json["lane"]?.string ?? "",
                ordinal: json["ordinal"]?.integer(in: 0...Int.max) ?? 0)
        }

        package var json: JSON { ["operation": .string(operation), "lane": .string(lane), "ordinal": .integer(Int64(ordinal))] }
    }

    package struct Request: Sendable {
        package var method: String
        package var target: String
        package var headers: HTTPFields
        package var body: [UInt8]
        /// The number of the connection that brought it; nil for a call that never left the process.
        package var connection: Int?
        /// The TLS version of that connection, and the protocol that its handshake chose (ALPN); nil without TLS, or where the client offered none.
        package var tls, alpn: String?

        package init(method: String, target: String, headers: HTTPFields, body: [UInt8], connection: Int?) {
            self.method = method
            self.target = target
            self.headers = headers
            self.body = body
            self.connection = connection
        }
    }

    package struct Answer: Sendable {
        /// The answer's name in the contract; nil where a fault or a foreign server made it.
        package var name: String?
        package var status: Int?
        /// Its meaning in the contract: `ok`, `refused`, `authentication`, `unavailable`. Nil where a fault or a foreign server made it.
        package var outcome: String?
        package var headers: HTTPFields
        package var body: [UInt8]
        /// Its fate on the wire where that was not simply "sent": `reset before the decision`, `delayed by 2 s` …
        package var delivery: String?
        /// How much of it a client could make use of; nil: all.
        package var received: Received?

        package enum Received: String, Sendable {
            /// Not a byte, or nothing that is an answer.
            case nothing
            /// Its beginning.
            case part
            /// All of it, and it is not what the contract has.
            case unusable
        }

        package init(
            name: String?, status: Int?, outcome: String? = nil, headers: HTTPFields, body: [UInt8],
            delivery: String? = nil, received: Received? = nil
        ) {
            self.name = name
            self.status = status
            self.outcome = outcome
            self.headers = headers
            self.body = body
            self.delivery = delivery
            self.received = received
        }
    }

    /// One change of what was sent, where a sandbox varies that: ``answer`` is what was decided.
    package struct Variation: Sendable, Hashable {
        /// The same in every run.
        package var id: String
        /// A JSON Pointer into the body; empty: not in the body, or all of it.
        package var place: String
        package var words: String

        package init(id: String, place: String, words: String) { (self.id, self.place, self.words) = (id, place, words) }

        package var json: JSON {
            .members(["id": .string(id), "place": place.isEmpty ? nil : .string(place), "words": .string(words)])
        }

        /// The family of a variation in an entry's JSON, such as `V5`.
        package static func family(of varied: JSON) -> String { String((varied["id"]?.string ?? "").prefix { $0 != "@" }) }

        /// The families of an entry's `varied`, each once, sorted.
        package static func families(of varied: JSON?) -> [String] { Set((varied?.array ?? []).map(family)).sorted() }
    }

    /// 0 until it is appended.
    package var number = 0
    package var kind: Kind
    /// `vendor.operationId`.
    package var operation: String?
    package var lane: String?
    /// The call's position in its lane, counted from 1.
    package var ordinal: Int?
    package var cause: Cause?
    package var causedBy: Origin?
    package var sandboxTime: Timestamp
    /// The sandbox's time when the request arrived and when all of its answer was to be sent, where that is another than ``sandboxTime``.
    package var began, ended: Timestamp?
    package var arrival: Moment
    /// When all of the answer was to be sent, on the clock of ``Moment/monotonic``, what faults hold it back included.
    package var answered: Int64?
    package var request: Request?
    package var answer: Answer?
    package var findings: [Finding]
    /// Numbers of the faults that struck.
    package var faults: [Int]
    /// The effects of those faults, in the words used to arm them, each once.
    package var effects: [String] = []
    package var varied: [Variation] = []
    /// Members that only this kind of entry has.
    package var details: JSON?

    package init(
        kind: Kind, operation: String? = nil, lane: String? = nil, ordinal: Int? = nil, cause: Cause? = nil,
        causedBy: Origin? = nil, sandboxTime: Timestamp, arrival: Moment, request: Request? = nil, answer: Answer? = nil,
        findings: [Finding] = [], faults: [Int] = [], details: JSON? = nil
    ) {
        self.kind = kind
        self.operation = operation
        self.lane = lane
        self.ordinal = ordinal
        self.cause = cause
        self.causedBy = causedBy
        self.sandboxTime = sandboxTime
        self.arrival = arrival
        self.request = request
        self.answer = answer
        self.findings = findings
        self.faults = faults
        self.details = details
    }
}
