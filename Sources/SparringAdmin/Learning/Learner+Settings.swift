import SparringContract
import SparringJSON
import SparringJournal

/// Settings with which Sparring would be as the vendor was.
extension Learner {
    /// A length of time or a number that the vendor has otherwise.
    struct Unfit: Hashable {
        let vendor: String
        let member: String
        let vendors: Double
        let own: Double
        /// Both are lengths of time, in seconds.
        let isSpan: Bool
    }

    /// How many settings are tried for one recording.
    private static let mostTrials = 100

    /// Plays a recording with one setting after the other changed to what the vendor had, and keeps those with which less differs.
    ///
    /// - Returns: the replay with those that are kept.
    mutating func settle(
        _ reader: RecordingReader, _ first: Replay, _ again: (JSON.Object) async throws -> Replay
    ) async -> Replay {
        var (best, kept, trials): (Replay, JSON, Int) = (first, [:], 0)
        var tried: Set<Unfit> = []
        while let unfit = Self.unfit(best, reader).first(where: { !tried.contains($0) }) {
            tried.insert(unfit)
            // What another recording has shown need not be found again.
            let candidates = settled[unfit].map { [$0].compactMap(\.self) } ?? candidates(for: unfit, best)
            settled[unfit] = .some(nil)
            for setting in candidates where trials < Self.mostTrials {
                trials += 1
                // A value that the setting cannot have is none.
                guard let replay = try? await again(kept.merging(setting.tenants).object ?? [:]),
                    !Self.unfit(replay, reader).contains(where: { $0.member == unfit.member }),
                    replay.differenceCount < best.differenceCount
                else { continue }
                (best, kept, settled[unfit]) = (replay, kept.merging(setting.tenants), setting)
                let time = reader.entries.first?.sandboxTime ?? Timestamp(milliseconds: 0)
                found.add(Proposal(setting, "\(setting.value.string ?? setting.value.text)", Observed(at: time)))
                break
            }
        }
        return best
    }

    private static func unfit(_ replay: Replay, _ reader: RecordingReader) -> [Unfit] {
        var found: [Unfit] = []
        for entry in reader.entries {
            guard let vendor = entry.operation?.split(separator: ".").first.map(String.init) else { continue }
            for difference in replay.differences[entry.number] ?? [] {
                guard let (recorded, own) = difference.numbers else { continue }
                let unfit = Unfit(
                    vendor: vendor, member: "\(entry.operation ?? "") \(difference.place.member)", vendors: recorded, own: own,
                    isSpan: difference.kind == .time)
                if !found.contains(unfit) { found.append(unfit) }
            }
        }
        return found
    }

    /// The settings that may have made the difference, likeliest first: those that have Sparring's value, and lengths of time that are not set.
    private func candidates(for unfit: Unfit, _ replay: Replay) -> [Proposal.Setting] {
        guard let schema = contracts[unfit.vendor]?.tenant, let configured = replay.settings[unfit.vendor] else { return [] }
        var (equal, unset): ([Proposal.Setting], [Proposal.Setting]) = ([], [])
        for setting in schema.settings {
            guard let value = setting.isSpan ? Self.span(unfit.vendors) : Self.count(unfit) else { continue }
            let candidate = Proposal.Setting(vendor: unfit.vendor, place: setting.place, value: value)
            switch configured[setting.place] {
            case .none: if setting.isSpan { unset.append(candidate) }
            case .some(let current):
                let own = setting.isSpan ? current.seconds : current.double
                if own == unfit.own { equal.append(candidate) } else if setting.isSpan, unfit.isSpan { unset.append(candidate) }
            }
        }
        return equal + unset
    }

    private static func count(_ unfit: Unfit) -> JSON? {
        unfit.isSpan ? nil : Int64(exactly: unfit.vendors).map { .integer($0) }
    }

    /// `30m`.
    static func span(_ seconds: Double) -> JSON? {
        let milliseconds = Int64(clamped: (seconds * 1000).rounded())
        guard milliseconds > 0 else { return nil }
        for (unit, length) in [("h", Int64(3_600_000)), ("m", 60_000), ("s", 1000)] where milliseconds % length == 0 {
            return .string("\(milliseconds / length)\(unit)")
        }
        return .string("\(milliseconds)ms")
    }
}

extension Difference {
    /// The vendor's and Sparring's lengths of time, in seconds, or numbers.
    fileprivate var numbers: (vendors: Double, own: Double)? {
        guard [.time, .value].contains(kind) else { return nil }
        func number(_ json: JSON?, _ text: String?) -> Double? {
            json?.double ?? (json == nil && place.header != nil ? text.flatMap { Double($0) } : nil)
        }
        guard let vendors = number(values.recorded, recorded), let own = number(values.replayed, replayed) else { return nil }
        return (vendors, own)
    }
}

extension Replay {
    fileprivate var differenceCount: Int { differences.values.reduce(0) { $0 + $1.count } }
}

extension JSON {
    /// The seconds of a length of time.
    fileprivate var seconds: Double? { string.flatMap { Duration(text: $0) }.map { Double($0.milliseconds) / 1000 } ?? double }
}
