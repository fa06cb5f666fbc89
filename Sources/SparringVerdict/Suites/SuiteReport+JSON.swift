package import SparringJSON
import SparringJournal

extension SuiteReport {
    /// The version of the JSON that a run writes. It changes when a member goes away or changes its meaning; new members do not change it.
    static let format: Int64 = 1

    /// The report for programs, with all that a page draws.
    package var json: JSON {
        .members([
            "format": .integer(Self.format),
            "sparring": .string(version),
            "result": .string(result.rawValue),
            "exitStatus": .integer(Int64(exitStatus)),
            "needsExercise": needsExercise ? true : nil,
            "coverage": coverage?.json,
            "strays": strayWords.map { .string($0) },
            "shortfalls": shortfalls.isEmpty ? nil : .array(shortfalls.map { .string($0) }),
            "stale": stale.isEmpty ? nil : .array(stale.map(\.json)),
            "minimums": minimums.isEmpty ? nil : .object(minimums.reduce(into: [:]) { $0[$1.axis.rawValue] = .number($1.part) }),
            "began": began.map { .string($0.description) },
            "ended": ended.map { .string($0.description) },
            "command": command.isEmpty ? nil : .array(command.map { .string($0) }),
            "plays": .array(plays.map(\.json)),
            "variations": variations.isEmpty ? nil : .array(variations.map(\.json)),
        ])
    }

    /// Reads what ``json`` has written.
    ///
    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    package init(json: JSON) throws(ConfigurationError) {
        let read = ReportReader(json, .root)
        guard try read.count64("format") == Self.format else {
            throw ConfigurationError(
                JSONPointer(tokens: ["format"]), "format \(json["format"]?.text ?? "") is not one that this version of Sparring reads")
        }
        self.init(
            version: try read.text("sparring"), command: try read.texts("command"),
            plays: try read.items("plays").map { item throws(ConfigurationError) in try Play(item) })
        needsExercise = json["needsExercise"] == true
        variations = try read.items("variations").map { item throws(ConfigurationError) in
            try VariationReport(json: item.json, at: item.pointer)
        }
        minimums = (json["minimums"]?.object ?? [:]).compactMap { name, part in
            Coverage.Axis(rawValue: name).flatMap { axis in part.double.map { (axis, $0) } }
        }
    }
}

extension SuiteReport.Play {
    fileprivate var json: JSON {
        .members([
            "scenario": scenario.map { .string($0) },
            "commandStatus": status.map { .integer(Int64($0)) },
            "killedAfter": killedAfter.map { .string($0) },
            "began": .string(began.description),
            "ended": .string(ended.description),
            "again": again.map { .string($0) },
            "strays": strays.isEmpty ? nil : .count(strays.reduce(0) { $0 + $1.count }),
            "unplaced": strays.isEmpty ? nil : .array(strays.map(\.json)),
            "notes": notes.isEmpty ? nil : .array(notes.map { .string($0) }),
            "output": output.isEmpty ? nil : .string(output),
            "sandboxes": .array(reports.map(\.wholeJSON)),
        ])
    }

    fileprivate init(_ read: ReportReader) throws(ConfigurationError) {
        self.init(
            scenario: read.json["scenario"]?.string, status: read.json["commandStatus"]?.integer(in: 0...255).map { Int32($0) },
            began: try read.time("began"), ended: try read.time("ended"),
            reports: try read.items("sandboxes").map { item throws(ConfigurationError) in
                try VerdictReport(json: item.json, at: item.pointer)
            })
        killedAfter = read.json["killedAfter"]?.string
        again = read.json["again"]?.string
        notes = try read.texts("notes")
        strays = try read.items("unplaced").map { item throws(ConfigurationError) in try ContractFinding(item) }
        output = read.json["output"]?.string ?? ""
    }
}

extension ReportReader {
    fileprivate func time(_ name: String) throws(ConfigurationError) -> Timestamp {
        guard let time = Timestamp(try text(name)) else { throw ConfigurationError(pointer.appending(name), "expected a time") }
        return time
    }
}
