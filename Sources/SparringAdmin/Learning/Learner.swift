package import SparringContract
import SparringEngine
package import SparringJSON
import SparringJournal

/// Finds out from recordings of a vendor what its contract does not allow yet, what Sparring sends otherwise, and which settings would fit better. It only ever
/// proposes to allow more.
package struct Learner {
    /// An answer of Sparring's, or a message that it sends.
    struct Subject: Hashable {
        /// `vendor.operation`, of a call or of a message.
        let operation: String
        /// The answer's name; nil: it is a message that is sent unasked.
        let answer: String?
        /// The code with which Sparring closed the socket that the call opened; nil: it is about the answer.
        var closeCode: Int?
    }

    let contracts: [String: Contract]
    /// The proposals that one recording suffices for.
    var found = Proposals()
    /// How often each answer was given and each message sent.
    var subjects: [Subject: Observed] = [:]
    var sightings: [Sighting.Key: Sighting] = [:]
    /// Answers with a status that the contract does not have, by operation and status.
    var strange: [String: StrangeAnswer] = [:]
    /// Messages that Sparring sent and the vendor did not, by the operation that opened the socket and their names.
    var surplus: [String: Observed] = [:]
    /// The settings that fit better, by what did not fit; nil: none does.
    var settled: [Unfit: Proposal.Setting?] = [:]
    var redaction = Redaction(.recording)
    /// The entry that is looked at, among those of all recordings.
    private(set) var entry = 0

    package init(_ contracts: [Contract]) {
        self.contracts = Dictionary(uniqueKeysWithValues: contracts.filter { $0.vendor != AdminAPI.name }.map { ($0.vendor, $0) })
    }

    /// Learns from a recording.
    ///
    /// - Parameters:
    ///   - reader: which has read it.
    ///   - replay: which has played it.
    ///   - again: plays it with other settings.
    package mutating func take(
        _ reader: RecordingReader, _ replay: Replay, _ again: (JSON.Object) async throws -> Replay
    ) async {
        let replay = await settle(reader, replay, again)
        redaction.gather(.array(reader.json))
        for entry in reader.entries {
            advance()
            var differences = replay.differences[entry.number] ?? []
            var findings = entry.findings
            if let operation = entry.operation { rename(operation, entry.sandboxTime, &differences, &findings) }
            // A vendor that does not have what Sparring has shows nothing of its own.
            if !differences.contains(where: \.isOfNothing) { allow(entry, findings) }
            compare(entry, differences, replay)
        }
        for call in reader.placed { takeStatus(of: call, replay) }
        takeOrder(reader, replay)
        takeEnds(replay)
        takeHosts(reader)
        for call in reader.unplaced { place(call, reader) }
    }

    /// The proposals that all recordings together speak for.
    package var proposals: Proposals {
        var proposals = found
        var counts: [String: Int] = [:]
        for (subject, observed) in subjects { counts[subject.operation, default: 0] += observed.times }
        proposals.weigh { counts[$0.operation] ?? 0 }
        var learner = self
        learner.rewrite(into: &proposals)
        return proposals
    }

    /// Begins another entry, so that a sighting counts again.
    mutating func advance() { entry += 1 }

    // MARK: The contract

    /// Learns what the contract would have to allow.
    private mutating func allow(_ entry: JournalEntry, _ findings: [Finding]) {
        guard let operation = entry.operation, entry.kind != .finding else { return }
        // What a gateway says in HTML is no answer of the vendor's.
        let isOfOtherType = findings.contains { $0.isOfAnswer && $0.code == Violation.Kind.mediaType.rawValue }
        for finding in findings where !(isOfOtherType && finding.isOfAnswer) {
            let isOfVendor = entry.kind == .notification || finding.isOfAnswer
            // What the vendor refuses, it does not allow.
            guard isOfVendor || entry.answer?.outcome == AnswerOutcome.ok.rawValue, !finding.actions.isEmpty,
                let document = finding.basis?.document
            else { continue }
            propose(.contract, operation, finding.allowance, in: document, finding.actions, at: entry.sandboxTime)
        }
    }

    mutating func propose(
        _ kind: Proposal.Kind, _ operation: String, _ words: String, in document: String, _ actions: [JSON], at time: Timestamp
    ) {
        let text = JSON.array(actions).text
        guard Redaction.withoutTokens(text) == text else { return found.leave("\(operation): its overlay would have a credential in it") }
        found.add(Proposal(kind, operation, Redaction.withoutTokens(words), in: document, actions, Observed(at: time)))
    }

    func operation(_ name: String) -> ContractOperation? {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? contracts[parts[0]]?.operation(parts[1]) : nil
    }

    func message(_ name: String) -> ContractMessage? {
        let vendor = name.split(separator: ".").first.map(String.init) ?? ""
        return contracts[vendor]?.channels.flatMap(\.sent).first { $0.qualifiedName == name }
    }
}

extension Difference {
    /// The vendor knows nothing of what Sparring has found.
    fileprivate var isOfNothing: Bool {
        kind == .answer && ["404", "405"].contains(recorded) && (replayed?.integer(in: 100...599) ?? 500) < 400
    }
}

extension Finding {
    /// It is about what the vendor has sent.
    var isOfAnswer: Bool { place?.hasPrefix("answer") ?? words.hasPrefix("answer") }

    /// The effect of its actions, in words.
    fileprivate var allowance: String {
        let pointer = (member ?? place).flatMap { place in place.firstIndex(of: ":").map { place[place.index(after: $0)...] } }
        let tokens = pointer.flatMap { JSONPointer(String($0)) }?.tokens ?? []
        let place = isOfAnswer ? "answer \(JSONPathText.path(tokens))" : "request \(JSONPathText.path(tokens))"
        let last = actions.last
        switch (last?["update"], last?["target"]?.string ?? "") {
        case (let update?, _) where update["type"]?.array != nil:
            return "\(place) may be \((update["type"]?.array ?? []).compactMap(\.string).joined(separator: " or "))"
        case (let update?, _) where update["properties"]?.object?.isEmpty == false:
            let type = update["properties"]?.object?.values.first?["type"]?.string
            return "\(place) may be there" + (type.map { ", a value of type \($0)" } ?? "")
        case (let value?, let target) where target.hasSuffix(".enum"): return "\(place) may be \(value.text)"
        case (nil, let target) where target.contains(".required["): return "\(place) may be missing"
        case (nil, let target): return "\(place): the contract says nothing of its \(target.split(separator: ".").last ?? "")"
        default: return words
        }
    }
}
