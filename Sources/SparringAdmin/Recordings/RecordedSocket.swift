import HTTPTypes
import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// The messages of a recorded socket, each of which becomes an entry: what was sent with its reply, and what came unasked.
struct RecordedSocket {
    private let number: Int
    private let channel: ContractChannel
    private let opening: JournalEntry
    private let request: RequestParts
    /// Otherwise there is no contract that could be broken.
    private let isEmulated: Bool
    private(set) var entries: [JournalEntry] = []
    /// In ``entries``, by the messages' places on the socket.
    private(set) var places: [Int: Int] = [:]
    /// How many messages have been taken.
    private var taken = 0
    /// The messages that were sent and have no reply yet, by their places in `entries`.
    private var open: [(place: Int, operation: ContractOperation, message: JSON)] = []

    init(number: Int, channel: ContractChannel, opening: JournalEntry, request: RequestParts, isEmulated: Bool) {
        (self.number, self.channel, self.opening, self.request, self.isEmulated) = (number, channel, opening, request, isEmulated)
    }

    mutating func take(_ message: Archive.Message, _ lanes: inout RecordedLanes) {
        defer { taken += 1 }
        if !message.isSent { return receive(message) }
        for piece in message.isBinary ? [message.bytes] : channel.messages(in: message.bytes) { send(piece, message, &lanes) }
    }

    // MARK: Sent

    private mutating func send(_ bytes: [UInt8], _ message: Archive.Message, _ lanes: inout RecordedLanes) {
        // What is missing at its end is no fault of the client's.
        guard message.isWhole else { return misfit(message, Finding(Cause.misunderstood, at: "message:", Archive.Body.beginning)) }
        let (operation, json, isText): (ContractOperation, JSON, Bool)
        do throws(ChannelMismatch) {
            (operation, json, isText) = try channel.operation(for: bytes, isBinary: message.isBinary)
        } catch {
            return misfit(message, Finding(error, openedBy: channel.opener))
        }
        let checked = operation.check(message: json, isText: isText)
        var entry = entry(.message, operation.qualifiedName, message)
        var named = request
        named.body = bytes
        let lane = lanes.lane(of: operation, named, json)
        entry.lane = lane == operation.qualifiedName ? opening.lane : lane
        entry.request = JournalEntry.Request(
            method: "MESSAGE", target: opening.request?.target ?? "", headers: [:], body: bytes, connection: nil)
        if isEmulated { entry.findings = (checked.violations + checked.undeclared).heedingPlaceholders(in: json).map { Finding($0) } }
        lanes.count(&entry)
        if !operation.answers.isEmpty { open.append((entries.count, operation, json)) }
        append(entry)
    }

    // MARK: Received

    private mutating func receive(_ message: Archive.Message) {
        if message.isBinary {
            return misfit(message, "answer: a binary message of \(message.bytes.count) bytes: the channel has text only")
        }
        guard let (whole, isText) = try? channel.read(message.bytes) else { return misfit(message, "answer: the message is not JSON") }
        // Some replies are all of their frame, others come several in one.
        let pieces = channel.messages(in: message.bytes)
        if pieces.count == 1 || fits(whole, isText) {
            if !reply(whole, message.bytes, message) { notify(whole, isText, message.bytes, message) }
            return
        }
        for bytes in pieces {
            guard let (json, isText) = try? channel.read(bytes) else { continue }
            if !reply(json, bytes, message) { notify(json, isText, bytes, message) }
        }
    }

    /// Whether the contract has such a message, as a reply to what waits or unasked.
    private func fits(_ json: JSON, _ isText: Bool) -> Bool {
        open.contains { isReply(json, to: $0.operation) }
            || channel.sent.contains { $0.isText == isText && $0.check(json).heedingPlaceholders(in: json).isEmpty }
    }

    private func isReply(_ json: JSON, to operation: ContractOperation) -> Bool {
        operation.recognise(status: nil, headers: [:], body: json).violations.heedingPlaceholders(in: json).isEmpty
    }

    /// Finds the message whose reply this is: the one whose own id it names, else the oldest of those whose contract has such a reply.
    private mutating func reply(_ json: JSON, _ bytes: [UInt8], _ message: Archive.Message) -> Bool {
        let ids = json.identifiers
        // What several share, such as who they are from, tells nothing.
        let counts = open.reduce(into: [String: Int]()) { counts, waiting in
            for id in waiting.message.identifiers { counts[id, default: 0] += 1 }
        }
        let named = open.indices.filter { place in
            open[place].message.identifiers.contains { ids.contains($0) && (counts[$0] == 1 || open.count == 1) }
        }
        let chosen =
            named.first { isReply(json, to: open[$0].operation) } ?? named.first
            ?? (channel.sent.contains { $0.check(json).heedingPlaceholders(in: json).isEmpty }
                ? nil : open.indices.first { isReply(json, to: open[$0].operation) })
        guard let chosen else { return false }
        // A notification may name what it is about.
        if !isReply(json, to: open[chosen].operation), fits(json, false) { return false }
        let waiting = open.remove(at: chosen)
        if places[taken] == nil { places[taken] = waiting.place }
        let found = waiting.operation.recognise(status: nil, headers: [:], body: json)
        entries[waiting.place].answer = JournalEntry.Answer(
            name: found.answer?.name, status: found.answer?.status, outcome: found.answer?.outcome.rawValue, headers: [:], body: bytes)
        entries[waiting.place].answered = JournalEntry.Moment.recorded(message.time).monotonic
        if isEmulated {
            entries[waiting.place].findings += (found.violations + found.undeclared).heedingPlaceholders(in: json).map {
                Finding(ofAnswer: $0)
            }
        }
        return true
    }

    private mutating func notify(_ json: JSON, _ isText: Bool, _ bytes: [UInt8], _ message: Archive.Message) {
        guard let (kind, violations) = channel.kind(of: json, isText: isText, heeding: { $0.heedingPlaceholders(in: $1) }) else {
            let name = channel.name(of: json)?.abbreviated(to: 100) ?? json.typeName
            return misfit(message, "answer: the vendor sends no \(name) on channel \(channel.name)", member: name)
        }
        var entry = entry(.notification, kind.qualifiedName, message)
        entry.answer = JournalEntry.Answer(name: nil, status: nil, headers: [:], body: bytes)
        if isEmulated {
            entry.findings = (violations + kind.undeclared(in: json).heedingPlaceholders(in: json)).map { Finding(ofAnswer: $0) }
        }
        append(entry)
    }

    /// Something that the vendor sent.
    private mutating func misfit(_ message: Archive.Message, _ words: String, member: String? = nil) {
        var finding = Finding(Cause.misunderstood, at: "message", words)
        finding.member = member
        misfit(message, finding)
    }

    private mutating func misfit(_ message: Archive.Message, _ finding: Finding) {
        guard isEmulated else { return }
        var entry = entry(.finding, opening.operation, message)
        var finding = finding
        finding.basis = finding.basis ?? Finding.Basis(channel.opener.place)
        entry.findings = [finding]
        append(entry)
    }

    private mutating func append(_ entry: JournalEntry) {
        if places[taken] == nil { places[taken] = entries.count }
        entries.append(entry)
    }

    private func entry(_ kind: JournalEntry.Kind, _ operation: String?, _ message: Archive.Message) -> JournalEntry {
        var entry = JournalEntry(
            kind: kind, operation: operation, lane: opening.lane, cause: opening.cause, sandboxTime: max(message.time, opening.sandboxTime),
            arrival: .recorded(max(message.time, opening.sandboxTime)), details: ["socket": .integer(Int64(number))])
        entry.answered = entry.arrival.monotonic
        return entry
    }
}

extension JSON {
    /// The values of members whose names end in `id`; of an array those of its items.
    fileprivate var identifiers: Set<String> {
        var found: Set<String> = []
        for item in array ?? [self] {
            for (name, member) in item.object ?? [:] where name.lowercased().hasSuffix("id") {
                if let value = member.string ?? member.integer.map(String.init), !value.isEmpty { found.insert(value) }
            }
        }
        return found
    }
}
