import SparringContract
import SparringEngine
import SparringJSON
import SparringJournal

/// Holds a script's passes at the vendor against the contract and against a fresh sandbox.
struct ProbeComparison {
    /// A difference from Sparring.
    private struct Apart {
        let operation: String
        let entry: Int
        let difference: Difference

        private static let kindsOfValues: Set<Difference.Kind> = [.value, .time, .type, .answer]

        /// The vendor's value, or the kind of the difference where values say nothing.
        var distinction: String {
            let value = Self.kindsOfValues.contains(difference.kind) ? difference.recorded : nil
            return value ?? difference.kind.rawValue
        }

        /// The same in both passes.
        var key: [String?] {
            [operation, difference.kind.rawValue, difference.place.member, distinction]
        }
    }

    /// A place at which an answer breaks the contract.
    private struct Breach {
        let operation: String
        let entry: Int
        let finding: Finding
    }

    /// The findings of one pass.
    private struct Shown {
        let apart: [Apart]
        let breaches: [Breach]
    }

    private let contracts: [Contract]
    private let hosts: [ServerHost]
    private let tenants: JSON.Object
    private let makeServer: () throws -> Server

    /// Operations whose answers or messages were held against the others, with how often that was.
    private(set) var checked: [String: Int] = [:]
    /// Keyed by ``ProbeFinding/key``.
    private(set) var findings: [[String?]: ProbeFinding] = [:]
    /// Places that differ between the vendor's own answers, by operation.
    private(set) var noise: [String: Set<String>] = [:]
    /// Nil: nobody wants to learn from it.
    private(set) var learner: Learner?

    init(
        _ contracts: [Contract], _ hosts: [ServerHost], tenants: JSON.Object, _ learner: Learner?,
        _ makeServer: @escaping () throws -> Server
    ) {
        (self.contracts, self.hosts, self.tenants, self.learner, self.makeServer) = (contracts, hosts, tenants, learner, makeServer)
    }

    /// - Throws: why the sandbox cannot be made.
    mutating func take(_ passes: [ProbeOutcome]) async throws {
        var shown: [Shown] = []
        // Where nothing differs, there is nothing that could be noise.
        for pass in passes where shown.isEmpty || !(shown[0].apart.isEmpty && shown[0].breaches.isEmpty) {
            shown.append(try await compare(pass, isFirst: shown.isEmpty))
        }
        let keys = shown.map { Set($0.apart.map(\.key)) }
        let steady = keys.dropFirst().reduce(keys.first ?? []) { $0.intersection($1) }
        for pass in shown {
            for one in pass.apart {
                if steady.contains(one.key) {
                    note(finding(one, pass.breaches.first { Self.isAbout($0, one) }))
                } else {
                    noise[one.operation, default: []].insert(one.difference.place.member)
                }
            }
            for breach in pass.breaches where !pass.apart.contains(where: { Self.isAbout(breach, $0) }) {
                note(
                    ProbeFinding(
                        meaning: .contractWrong, operation: breach.operation, place: breach.finding.member ?? breach.finding.place,
                        words: breach.finding.words, basis: breach.finding.basis?.text))
            }
        }
    }

    private mutating func note(_ finding: ProbeFinding) { findings[finding.key] = findings[finding.key] ?? finding }

    private mutating func compare(_ pass: ProbeOutcome, isFirst: Bool) async throws -> Shown {
        var sandbox = RecordedSandbox(id: Replay.probed, tenants: tenants, begun: pass.begun)
        sandbox.acts = pass.acts
        let archive = Archive(pass.calls, in: sandbox)
        var reader = try RecordingReader(contracts, hosts: hosts)
        reader.take(archive)
        let operations = Dictionary(uniqueKeysWithValues: reader.entries.map { ($0.number, $0.operation ?? "unplaced") })
        var breaches: [Breach] = []
        for entry in reader.entries {
            guard let operation = entry.operation else { continue }
            if isFirst, entry.answer != nil { checked[operation, default: 0] += 1 }
            // A request of the script's own that breaks the contract says nothing of the vendor.
            for finding in entry.findings where finding.place?.hasPrefix("answer") ?? true || finding.words.hasPrefix("answer") {
                breaches.append(Breach(operation: operation, entry: entry.number, finding: finding))
            }
        }
        let replay = try await Replay.run(archive, reader, makeServer)
        if learner != nil {
            await learner?.take(reader, replay) { [makeServer] in try await Replay.run(archive, reader, trying: $0, makeServer) }
        }
        let apart = replay.differences.sorted { $0.key < $1.key }.flatMap { entry, differences in
            differences.map { Apart(operation: operations[entry] ?? "unplaced", entry: entry, difference: $0) }
        }
        return Shown(apart: apart, breaches: breaches)
    }

    /// Both are about the same place of the same answer or message.
    private static func isAbout(_ breach: Breach, _ apart: Apart) -> Bool {
        guard breach.entry == apart.entry, apart.difference.kind != .order else { return false }
        // Of another answer, all is another.
        if [.answer, .silence].contains(apart.difference.kind) { return true }
        let place = breach.finding.member ?? breach.finding.place ?? ""
        guard let colon = place.firstIndex(of: ":") else { return true }
        let rest = place[place.index(after: colon)...]
        if place[..<colon].hasSuffix("header") { return apart.difference.place.text.hasSuffix(" header \(rest.lowercased())") }
        let tokens = JSONPointer(String(rest))?.tokens ?? []
        let others = apart.difference.place.tokens
        return tokens.starts(with: others) || others.starts(with: tokens)
    }

    private func finding(_ apart: Apart, _ breach: Breach?) -> ProbeFinding {
        let difference = apart.difference
        var finding = ProbeFinding(
            meaning: breach == nil ? .sparringWrong : .vendorAhead, operation: apart.operation, place: difference.place.member,
            words: difference.shown, basis: breach?.finding.basis?.text)
        finding.distinction = apart.distinction
        if Self.saysNothing(difference) { (finding.meaning, finding.place, finding.basis) = (.unchecked, nil, nil) }
        return finding
    }

    /// The vendor did not let the probe see what Sparring shows: it refused, was not able to, or did not answer.
    private static func saysNothing(_ difference: Difference) -> Bool {
        switch difference.kind {
        case .silence: return difference.place.text.hasPrefix("answer")
        case .answer:
            guard let vendor = difference.recorded?.integer(in: 100...599), let own = difference.replayed?.integer(in: 100...599) else {
                return true
            }
            return own < 400 && ([401, 403, 407, 429].contains(vendor) || vendor >= 500) || [429, 502, 503, 504].contains(vendor)
        default: return false
        }
    }
}
