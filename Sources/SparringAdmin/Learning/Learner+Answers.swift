import SparringContract
import SparringHTTP
import SparringJSON
import SparringJournal

/// Learning from the differences between the vendor and Sparring.
extension Learner {
    mutating func compare(_ entry: JournalEntry, _ differences: [Difference], _ replay: Replay) {
        guard let operation = entry.operation else { return }
        let subject: Subject
        var differences = differences
        switch entry.kind {
        case .exchange:
            for difference in differences where difference.place.isOfMessage { takeSurplus(difference, operation, entry) }
            differences.removeAll { $0.place.isOfMessage || $0.values.replayed != nil && $0.place.text == "socket" }
            guard let name = replay.answerNames[entry.number] else { return }
            subject = Subject(operation: operation, answer: name)
        case .message:
            guard let name = entry.answer?.name else { return }
            subject = Subject(operation: operation, answer: name)
        case .notification: subject = Subject(operation: operation, answer: nil)
        default: return
        }
        count(subject, at: entry.sandboxTime)
        for difference in differences where difference.kind != .order {
            see(difference, of: subject, isInner: false, at: entry.sandboxTime)
            for inner in difference.inner { see(inner, of: subject, isInner: true, at: entry.sandboxTime) }
        }
    }

    private mutating func count(_ subject: Subject, at time: Timestamp) {
        subjects[subject].note(at: time)
    }

    mutating func see(_ difference: Difference, of subject: Subject, isInner: Bool, at time: Timestamp) {
        let key = Sighting.Key(subject: subject, kind: difference.kind, member: difference.place.member)
        if sightings[key] == nil {
            sightings[key] = Sighting(difference, isInner: isInner, at: time, in: entry)
        } else {
            sightings[key]?.note(difference, at: time, in: entry)
        }
    }

    /// Proposes what would make good those differences that were there each time.
    mutating func rewrite(into proposals: inout Proposals) {
        let sorted = sightings.sorted { ($0.key.subject.operation, $0.key.member) < ($1.key.subject.operation, $1.key.member) }
        for (key, sighting) in sorted {
            let words =
                "\(key.subject.operation)\(key.subject.answer.map { " \($0)" } ?? ""): \(sighting.difference.place.member): \(sighting.difference.shown)"
            guard !sighting.isInner || otherStatus(of: key.subject) != nil else { continue }
            guard let total = subjects[key.subject]?.times, total == sighting.observed.times || isUncounted(key) else {
                proposals.leave("\(words), in \(sighting.observed.times) of \(subjects[key.subject]?.times ?? 0)")
                continue
            }
            guard let change = change(for: sighting, of: key.subject), let proposal = proposal(change, key.subject, sighting.observed)
            else {
                proposals.leave(words)
                continue
            }
            proposals.add(proposal)
        }
        keepBack(into: &proposals)
        declareStrange(into: &proposals)
    }

    /// How often a message came is decided by the numbers of both; and it may have come alone, in no order at all.
    private func isUncounted(_ key: Sighting.Key) -> Bool {
        key.member == "message" && key.subject.answer == nil && [.missing, .order].contains(key.kind)
    }

    /// The status that is proposed for an answer of Sparring's; nil: none is.
    func otherStatus(of subject: Subject) -> Int? {
        let key = Sighting.Key(subject: subject, kind: .answer, member: "answer status")
        guard let sighting = sightings[key], sighting.observed.times == subjects[subject]?.times else { return nil }
        return status(sighting, of: subject)
    }

    // MARK: Changes

    /// A part of an `x-rewrite`, and what it does.
    struct Change {
        let json: JSON
        let words: String
    }

    private mutating func change(for sighting: Sighting, of subject: Subject) -> Change? {
        let difference = sighting.difference
        if let header = difference.place.header { return change(ofHeader: header, sighting) }
        switch difference.kind {
        case .answer: return status(sighting, of: subject).map { Change(json: ["status": .integer(Int64($0))], words: "has status \($0)") }
        case .silence where subject.closeCode != nil:
            guard sighting.recorded.count == 1, let own = subject.closeCode, let code = difference.values.recorded?.integer else {
                return nil
            }
            return Change(json: ["close": .object([String(own): .integer(code)])], words: "sockets are closed with \(code), not \(own)")
        case .order: return sighting.recorded.first.map { Change(json: ["after": .string($0)], words: "comes after \($0)") }
        case .missing where difference.place.isOfMessage && difference.values.recorded == nil: return repetition(sighting, of: subject)
        case .missing, .surplus, .type, .value: return change(ofBody: sighting)
        case .reference, .time, .silence: return nil
        }
    }

    /// Nil where the one means success and the other does not, and where the vendor may only have been unable to answer.
    private func status(_ sighting: Sighting, of subject: Subject) -> Int? {
        guard sighting.recorded.count == 1, let status = sighting.difference.recorded?.integer(in: 200...599),
            let answer = subject.answer.flatMap({ operation(subject.operation)?.answer($0) })
        else { return nil }
        return answer.isUnhappy == (status >= 400) && !Self.temporary.contains(status) ? status : nil
    }

    /// Statuses that say nothing of the call (RFC 9110 §15.6.3, §15.6.4, §15.6.5; RFC 6585 §4).
    static let temporary: Set = [429, 502, 503, 504]

    private mutating func change(ofHeader name: String, _ sighting: Sighting) -> Change? {
        let difference = sighting.difference
        guard !Redaction.hides(name), name != "set-cookie" else { return nil }
        guard let value = difference.recorded else {
            return Change(json: ["headers": [name: .null]], words: "leaves out the header \(name)")
        }
        guard sighting.recorded.count == 1 else { return nil }
        if name == "content-type" { return Change(json: ["type": .string(value)], words: "has the content type \(value)") }
        let shown = redacted(.string(value), named: name)
        return Change(json: ["headers": [name: shown]], words: "has the header \(name): \(shown.string ?? "")")
    }

    private mutating func change(ofBody sighting: Sighting) -> Change? {
        let (difference, place) = (sighting.difference, sighting.difference.place)
        guard place.isOfBody, place.tokens.last != "*", !sighting.isPartial else { return nil }
        let target = JSONPathText.path(place.tokens)
        func change(_ member: String, _ value: JSON, _ words: String) -> Change {
            Change(json: ["body": [["target": .string(target), member: value]]], words: words)
        }
        guard let value = difference.values.recorded else {
            guard difference.values.replayed != nil else { return nil }
            return change("remove", true, place.tokens.isEmpty ? "has no body" : "leaves out \(target)")
        }
        if difference.kind == .type, let own = difference.values.replayed, own.isScalar, value.isScalar, value != .null {
            return change("type", .string(value.typeName), "has \(target) as \(value.typeName)")
        }
        guard difference.kind != .value || sighting.recorded.count == 1 else { return nil }
        let shown = redacted(value, named: place.tokens.last ?? "")
        return change("value", shown, "has \(target) \(shown.text.abbreviated(to: 80))")
    }

    /// A message that comes several times where Sparring sends it once.
    private func repetition(_ sighting: Sighting, of subject: Subject) -> Change? {
        guard subject.answer == nil, let recorded = subjects[subject]?.times else { return nil }
        let sent = recorded - sighting.observed.times
        guard sent > 0, recorded % sent == 0 else { return nil }
        return Change(json: ["times": .integer(Int64(recorded / sent))], words: "comes \(recorded / sent) times")
    }

    private func proposal(_ change: Change, _ subject: Subject, _ observed: Observed) -> Proposal? {
        var rewrite = change.json
        let (target, document): (String, String)
        if subject.closeCode != nil {
            guard let opener = operation(subject.operation), let contract = contracts[opener.vendor],
                let channel = contract.channel(openedBy: opener),
                let file = channel.received.first?.place.document ?? channel.sent.first?.schema.place.document
            else { return nil }
            (target, document) = ("$.channels" + JSONPathText.member(channel.name), file)
        } else if let answer = subject.answer {
            guard let operation = operation(subject.operation) else { return nil }
            (target, document) = (operation.place.path, operation.place.document)
            rewrite = .object([answer: rewrite])
        } else {
            guard let message = message(subject.operation) else { return nil }
            (target, document) = ("$.operations" + JSONPathText.member(message.id), message.schema.place.document)
        }
        let words = (subject.closeCode == nil ? subject.answer.map { "\($0) " } ?? "" : "") + change.words
        return Proposal(
            .sparring, subject.operation, words, in: document, [.update(target, ["x-rewrite": rewrite])], observed)
    }

    // MARK: Messages

    private mutating func takeSurplus(_ difference: Difference, _ operation: String, _ entry: JournalEntry) {
        guard difference.kind == .surplus, let name = difference.place.text.split(separator: " ").dropFirst().first else { return }
        let vendor = operation.split(separator: ".").first.map(String.init) ?? ""
        guard let opener = self.operation(operation),
            let message = contracts[vendor]?.channel(openedBy: opener)?.sent.first(where: { $0.name == name })
        else { return }
        surplus[message.qualifiedName].note(at: entry.sandboxTime)
    }

    /// Proposes not to send what the vendor never sent.
    private func keepBack(into proposals: inout Proposals) {
        for (name, observed) in surplus.sorted(by: { $0.key < $1.key }) {
            let subject = Subject(operation: name, answer: nil)
            guard subjects[subject] == nil, let proposal = proposal(Change(json: ["times": 0], words: "does not come"), subject, observed)
            else {
                proposals.leave("\(name): Sparring sent \(observed.times) more than the vendor")
                continue
            }
            proposals.add(proposal)
        }
    }

    /// Learns with which codes sockets were closed.
    mutating func takeEnds(_ replay: Replay) {
        for socket in replay.sockets {
            guard let end = socket.wire.end, end.by == .server, let code = end.code.map(Int.init),
                let recorded = socket.placed.call.own?.end,
                !recorded.isByClient
            else { continue }
            let name = socket.placed.operation.qualifiedName
            let subject = Subject(operation: name, answer: nil, closeCode: code)
            count(subject, at: recorded.time)
            advance()
            for difference in replay.differences[socket.placed.entry] ?? [] where difference.place.text == "socket" {
                see(difference, of: subject, isInner: false, at: recorded.time)
            }
        }
    }

    /// Learns which messages came in another order.
    mutating func takeOrder(_ reader: RecordingReader, _ replay: Replay) {
        var latest: [Int64: ContractMessage] = [:]
        for entry in reader.entries where entry.kind == .notification {
            guard let socket = entry.details?["socket"]?.integer, let message = entry.operation.flatMap({ message($0) }) else { continue }
            defer { latest[socket] = message }
            guard let before = latest[socket], before !== message,
                let difference = replay.differences[entry.number]?.first(where: { $0.kind == .order && $0.place.isOfMessage })
            else { continue }
            advance()
            see(
                Difference(.order, difference.place, is: difference.replayed, recorded: before.id),
                of: Subject(operation: message.qualifiedName, answer: nil), isInner: false, at: entry.sandboxTime)
        }
    }
}

extension JSON {
    fileprivate var isScalar: Bool { object == nil && array == nil }
}
