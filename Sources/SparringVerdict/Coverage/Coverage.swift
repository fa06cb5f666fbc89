package import SparringContract

/// How much of the contracts a client has met in a run: of the vendors that it called.
package struct Coverage: Sendable {
    /// The things that are counted.
    package enum Axis: String, Sendable, CaseIterable {
        /// Operations that were called, messages of clients' among them.
        case operations
        /// Answers that the contract declares, of any outcome.
        case answers
        /// Those of the declared answers by which the vendor says no.
        case refusals
        /// Messages that the vendor sends unasked.
        case messages
        /// Members of bodies that need not be sent, and were.
        case members
        /// Rules that came to a result.
        case rules
    }

    package struct Answer: Sendable {
        package var name: String
        package var isHappy: Bool
        package var count = 0
    }

    /// An operation, or a message that the vendor sends.
    package struct Row: Sendable {
        package var name: String
        package var isNotification = false
        /// No code implements it: its examples answer.
        package var isStub = false
        /// When a probe saw it at the vendor, in words.
        package var live: String?
        package var calls = 0
        package var answers: [Answer] = []
        /// Members that need not be sent.
        package var members: [(name: String, isSent: Bool)] = []

        package var state: State {
            if calls == 0 { return .missing }
            return answers.allSatisfy { $0.count > 0 } && members.allSatisfy(\.isSent) ? .covered : .partial
        }
    }

    package enum State: String, Sendable, CaseIterable {
        case covered, partial, missing
    }

    package struct Share: Sendable {
        package var met: Int
        package var all: Int

        /// 1 where there is nothing to meet.
        package var part: Double { all == 0 ? 1 : Double(met) / Double(all) }
    }

    package var rows: [Row] = []
    /// The rules by name, and whether each came to a result.
    package var rules: [(name: String, isExercised: Bool)] = []
    /// The calls and messages that are not in the contracts, with how often each came.
    package var extra: [(name: String, count: Int)] = []
    /// The effects of faults, in the words used to arm them.
    package var effects: [String] = []
    /// With which sockets were closed.
    package var closeCodes: [Int] = []
    /// The families of variations that were met, such as `V5`, with the operations and messages at which each was.
    package var varied: [String: Set<String>] = [:]

    package init() {}

    /// Notes what probes have seen.
    package mutating func note(_ live: LiveFidelity) {
        for index in rows.indices { rows[index].live = live[rows[index].name]?.words }
    }

    /// Nothing was called at all.
    package var isEmpty: Bool { rows.allSatisfy { $0.calls == 0 } }

    package func share(_ axis: Axis) -> Share {
        let operations = rows.filter { !$0.isNotification }
        func share<Item>(_ items: [Item], _ isMet: (Item) -> Bool) -> Share { Share(met: items.count(where: isMet), all: items.count) }
        return switch axis {
        case .operations: share(operations) { $0.calls > 0 }
        case .messages: share(rows.filter(\.isNotification)) { $0.calls > 0 }
        case .answers: share(operations.flatMap(\.answers)) { $0.count > 0 }
        case .refusals: share(operations.flatMap(\.answers).filter { !$0.isHappy }) { $0.count > 0 }
        case .members: share(operations.flatMap(\.members), \.isSent)
        case .rules: share(rules, \.isExercised)
        }
    }

    /// The coverage of both runs together.
    package func merging(_ other: Coverage) -> Coverage {
        var merged = self
        for row in other.rows {
            guard let index = merged.rows.firstIndex(where: { $0.name == row.name }) else {
                merged.rows.append(row)
                continue
            }
            merged.rows[index].calls += row.calls
            for (place, answer) in row.answers.enumerated() where merged.rows[index].answers.indices.contains(place) {
                merged.rows[index].answers[place].count += answer.count
            }
            for (place, member) in row.members.enumerated() where member.isSent && merged.rows[index].members.indices.contains(place) {
                merged.rows[index].members[place].isSent = true
            }
        }
        for rule in other.rules {
            if let index = merged.rules.firstIndex(where: { $0.name == rule.name }) {
                merged.rules[index].isExercised = merged.rules[index].isExercised || rule.isExercised
            } else {
                merged.rules.append(rule)
            }
        }
        for extra in other.extra {
            if let index = merged.extra.firstIndex(where: { $0.name == extra.name }) {
                merged.extra[index].count += extra.count
            } else {
                merged.extra.append(extra)
            }
        }
        merged.effects = Set(effects + other.effects).sorted()
        merged.varied.merge(other.varied) { $0.union($1) }
        merged.closeCodes = Set(closeCodes + other.closeCodes).sorted()
        return merged
    }
}
