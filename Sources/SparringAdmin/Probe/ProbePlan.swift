import HTTPTypes
package import SparringContract
package import SparringEngine
import SparringJSON

/// The calls that a probe makes at a vendor, known before the first is made.
package struct ProbePlan: Sendable {
    /// A decision about a step.
    enum Standing: Sendable {
        /// It is sent there.
        case sent(VendorTargets.Target, operation: String)
        /// Somebody is asked to do it at the vendor.
        case asked
        /// It is done at the fresh sandbox only; the credentials with these names, which the vendor is sent, come from elsewhere.
        case supplied([String])
        /// It has no bearing on the vendor.
        case skipped
        /// It is not done, for this reason.
        case left(String)
    }

    struct Part: Sendable {
        let script: ProbeScript
        let standings: [Standing]

        /// Calls and messages.
        var count: Int { zip(script.steps, standings).count { $1.isSent && !$0.isEnd } }
    }

    /// The user's permissions and supplies.
    package struct Terms: Sendable {
        /// `vendor.operation` of writing operations that may be called, or `vendor.*`.
        package var allowed: [String] = []
        /// Somebody does what agents do.
        package var hasHand = false
        /// Kinds of credentials that are brought from elsewhere: the word in names such as `{token-1}`.
        package var supplies: Set<String> = []
        /// The limit of calls and messages.
        package var most = 100

        package init() {}
    }

    let parts: [Part]
    package let targets: VendorTargets
    /// How often each script is played: what differs between the vendor's own answers says nothing.
    package static let passes = 2

    /// - Throws: `ContractError`.
    package init(
        _ scripts: [ProbeScript], at targets: VendorTargets, _ contracts: [Contract], _ terms: Terms
    ) throws(ContractError) {
        let contracts = contracts.filter { $0.vendor != AdminAPI.name }
        let routes = try Routes(contracts)
        var (parts, left): ([Part], Int) = ([], terms.most)
        var seen: Set<[String]> = []
        for script in scripts {
            var reader = ProbePlanReader(script, routes, contracts, targets, terms)
            let part = Part(script: script, standings: script.steps.map { reader.standing(of: $0) })
            // What another script sends as well is sent once.
            guard part.count > 0, seen.insert(part.lines).inserted else { continue }
            parts.append(part.limited(to: left / Self.passes, "--max-calls \(terms.most)"))
            left -= (parts.last?.count ?? 0) * Self.passes
        }
        (self.parts, self.targets) = (parts, targets)
    }

    /// Calls and messages, of both passes.
    package var count: Int { parts.reduce(0) { $0 + $1.count * Self.passes } }

    /// A line for each call, and for each step that is left out.
    package var lines: [String] { parts.flatMap { [$0.script.name] + $0.lines.map { "  " + $0 } + $0.leftLines.map { "  " + $0 } } }

    /// Steps that are not done, with the reasons.
    package var left: [(what: String, reason: String)] {
        parts.flatMap { part in
            zip(part.script.steps, part.standings).compactMap { step, standing in
                if case .left(let reason) = standing { (step.words, reason) } else { nil }
            }
        }
    }
}

extension ProbePlan.Standing {
    var isSent: Bool { if case .sent = self { true } else { false } }
}

extension ProbePlan.Part {
    /// Without what comes after so many calls.
    fileprivate func limited(to count: Int, _ reason: String) -> Self {
        var left = count
        let standings = zip(script.steps, standings).map { step, standing -> ProbePlan.Standing in
            guard standing.isSent, !step.isEnd else { return left > 0 ? standing : .skipped }
            left -= 1
            return left >= 0 ? standing : .left(reason)
        }
        return Self(script: script, standings: standings)
    }

    fileprivate var lines: [String] {
        zip(script.steps, standings).compactMap { step, standing in
            guard case .sent(let target, let operation) = standing else { return nil }
            switch step.deed {
            case .call(let request), .open(_, let request):
                return "\(request.method) \(target.url(request.target)) (\(operation)\(step.note.map { ", \($0)" } ?? ""))"
            case .message(let socket, let text): return "message on \(socket): \(text.abbreviated(to: 100)) (\(operation))"
            case .close(let socket, let code): return "close \(socket) with \(code)"
            case .act: return nil
            }
        }
    }

    fileprivate var leftLines: [String] {
        var counts: [(line: String, count: Int)] = []
        for (step, standing) in zip(script.steps, standings) {
            guard case .left(let reason) = standing else { continue }
            let line = "left out: \(step.words): \(reason)"
            if let place = counts.firstIndex(where: { $0.line == line }) { counts[place].count += 1 } else { counts.append((line, 1)) }
        }
        return counts.map { $0.count > 1 ? "\($0.line) (\($0.count))" : $0.line }
    }
}

extension ProbeStep {
    /// `POST /path`.
    var words: String {
        switch deed {
        case .call(let request), .open(_, let request): "\(request.method) \(request.target.prefix { $0 != "?" })"
        case .message(let socket, let text): "a message on \(socket): \(text.abbreviated(to: 60))"
        case .close(let socket, _): "the end of \(socket)"
        case .act(let request): "\(request.method) \(request.target.prefix { $0 != "?" }) of the admin API"
        }
    }
}
