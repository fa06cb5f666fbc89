package import SparringJSON

/// How a client took what was varied: of one play, over several runs.
package struct VariationReport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case pass, fail
        /// Nothing that the client was sent has a place for it.
        case notMet = "not-met"
        /// The runs, or the time, had been used up before.
        case notRun = "not-run"
    }

    /// A family that was varied alone.
    package struct Family: Sendable {
        /// Such as `V5`.
        package var id: String
        package var title: String
        package var outcome: Outcome
        /// How many places were changed.
        package var changes = 0
        /// The operations and messages that had them, sorted.
        package var operations: [String] = []

        package init(id: String, title: String, outcome: Outcome, changes: Int = 0, operations: [String] = []) {
            (self.id, self.title, self.outcome, self.changes, self.operations) = (id, title, outcome, changes, operations)
        }
    }

    /// One change, or the few, that the client breaks on.
    package struct Finding: Sendable {
        package struct Change: Sendable {
            package var id: String
            /// `vendor.id` of the operation or message.
            package var operation: String
            /// A JSON Pointer into the body; empty: not in it.
            package var place: String
            package var words: String
            /// The entry's number in the journal of the run that showed it.
            package var entry: Int

            package init(id: String, operation: String, place: String, words: String, entry: Int) {
                (self.id, self.operation, self.place, self.words, self.entry) = (id, operation, place, words, entry)
            }

            /// `/body/closeReason: 'AGENT' → 'SPARRING_7F3' in entry 41 (vendor.messageId)`
            package var sentence: String { "\(place.isEmpty ? "" : "\(place): ")\(words), in entry \(entry) (\(operation))" }
        }

        package var family: String
        package var title: String
        package var advice: String
        package var changes: [Change]
        /// How it shows: the command's status, rules, findings, sockets.
        package var signs: [String]
        /// The command line that shows it.
        package var again: String?
        /// It had been found before, and is there still.
        package var isKnown = false
        /// There was no time to leave out what does not matter.
        package var isShrunk = true

        package init(family: String, title: String, advice: String, changes: [Change], signs: [String], again: String? = nil) {
            (self.family, self.title, self.advice) = (family, title, advice)
            (self.changes, self.signs, self.again) = (changes, signs, again)
        }
    }

    package var scenario: String?
    package var seed: Int64
    /// The number of runs of the command, the plain ones included.
    package var runs = 0
    package var families: [Family] = []
    package var findings: [Finding] = []
    /// Why nothing can be judged; nil: it can.
    package var obstacle: String?
    /// Why not everything was tried; nil: it was.
    package var shortfall: String?

    package init(scenario: String?, seed: Int64) { (self.scenario, self.seed) = (scenario, seed) }

    package var isGood: Bool { findings.isEmpty && obstacle == nil }

    /// `the client breaks on 2 variations`
    package var headline: String {
        if let obstacle { return "variation cannot be judged: \(obstacle)" }
        let met = families.count { $0.outcome == .pass || $0.outcome == .fail }
        let all = "\(met) of \(families.count) families of variations were met"
        if findings.isEmpty { return "the client takes all that was varied: " + all }
        return "the client breaks on \(findings.count == 1 ? "one variation" : "\(findings.count) variations"): " + all
    }
}

extension VariationReport.Finding {
    /// The finding in one sentence.
    package var sentence: String {
        guard changes.count != 1 else { return "the client breaks on one change: \(changes[0].sentence)" }
        let rest = changes.count > 3 ? ", and \(changes.count - 3) more" : ""
        return "the client breaks on \(changes.count) changes together: " + changes.prefix(3).map(\.sentence).joined(separator: "; ") + rest
    }
}

// MARK: For programs

extension VariationReport {
    package var json: JSON {
        .members([
            "scenario": scenario.map { .string($0) }, "seed": .integer(seed), "runs": .count(runs), "headline": .string(headline),
            "obstacle": obstacle.map { .string($0) }, "shortfall": shortfall.map { .string($0) },
            "families": .array(
                families.map { family in
                    [
                        "id": .string(family.id), "title": .string(family.title), "outcome": .string(family.outcome.rawValue),
                        "changes": .count(family.changes), "operations": .array(family.operations.map { .string($0) }),
                    ]
                }),
            "findings": .array(findings.map(\.json)),
        ])
    }

    package init(json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        let read = ReportReader(json, pointer)
        self.init(scenario: json["scenario"]?.string, seed: try read.count64("seed"))
        runs = try read.count("runs")
        obstacle = json["obstacle"]?.string
        shortfall = json["shortfall"]?.string
        families = try read.items("families").map { item throws(ConfigurationError) in
            Family(
                id: try item.text("id"), title: try item.text("title"), outcome: Outcome(rawValue: try item.text("outcome")) ?? .notRun,
                changes: try item.count("changes"), operations: try item.texts("operations"))
        }
        findings = try read.items("findings").map { item throws(ConfigurationError) in try Finding(item) }
    }
}

extension VariationReport.Finding {
    fileprivate var json: JSON {
        .members([
            "family": .string(family), "title": .string(title), "advice": .string(advice), "sentence": .string(sentence),
            "changes": .array(
                changes.map { change in
                    .members([
                        "id": .string(change.id), "operation": .string(change.operation),
                        "place": change.place.isEmpty ? nil : .string(change.place), "words": .string(change.words),
                        "entry": .count(change.entry),
                    ])
                }),
            "signs": .array(signs.map { .string($0) }), "again": again.map { .string($0) }, "known": isKnown ? true : nil,
            "shrunk": isShrunk ? nil : false,
        ])
    }

    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            family: try read.text("family"), title: try read.text("title"), advice: try read.text("advice"),
            changes: try read.items("changes").map { item throws(ConfigurationError) in
                Change(
                    id: try item.text("id"), operation: try item.text("operation"), place: item.json["place"]?.string ?? "",
                    words: try item.text("words"), entry: try item.count("entry"))
            }, signs: try read.texts("signs"), again: read.json["again"]?.string)
        isKnown = read.json["known"] == true
        isShrunk = read.json["shrunk"] != false
    }
}
