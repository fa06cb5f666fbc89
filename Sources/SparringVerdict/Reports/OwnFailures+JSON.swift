package import SparringJSON
import SparringJournal

extension OwnFailures {
    package var json: JSON {
        .members([
            "unrecorded": .count(unrecorded), "internalErrors": .count(internalErrors),
            "evidence": evidence.isEmpty ? nil : .array(evidence.map(\.json)),
        ])
    }

    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    init(_ read: ReportReader) throws(ConfigurationError) {
        unrecorded = try read.count("unrecorded")
        internalErrors = try read.count("internalErrors")
        evidence = try read.items("evidence").map { item throws(ConfigurationError) in try Verdict.Evidence(item) }
    }
}
