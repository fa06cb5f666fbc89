import SparringContract
package import SparringJSON
import SparringJournal

/// Violations of the contract that are known, so that a gate can be switched on before the last of them is mended.
package struct FindingBaseline: Sendable {
    package struct Known: Sendable {
        package var fingerprint: String
        /// For readers of the file.
        package var operation, place, code, words: String?
        /// No run showed it: it is what another entry is called now.
        var isImplied = false
    }

    /// The version of the files that are written. Files of version 1, which do not name it, have bodies that are no forms by all that such a form lacks.
    private static let version: Int64 = 2

    package private(set) var all: [Known]
    private let fingerprints: Set<String>

    package init(_ all: [Known] = []) {
        self.all = all
        fingerprints = Set(all.map(\.fingerprint))
    }

    package func has(_ fingerprint: String) -> Bool { fingerprints.contains(fingerprint) }

    /// Reads what ``text`` has, and any object with `findings` that have a `fingerprint`.
    ///
    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    package init(json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        guard let findings = json["findings"] else {
            throw ConfigurationError(pointer, "expected an object with 'findings', as --write-known writes it")
        }
        let version = json["version"].map { $0.integer ?? 0 } ?? 1
        guard (1...Self.version).contains(version) else {
            throw ConfigurationError(
                pointer.appending("version"),
                "this version of Sparring reads the versions 1 to \(Self.version) of such files, not \(json["version"]?.text ?? "")")
        }
        try self.init(findings: findings, at: pointer.appending("findings"))
        if version == 1 { self.init(all + Self.implied(by: all)) }
    }

    /// The single entry by which version 2 names a body that version 1 describes member by member: a gate must not fail for a newer Sparring.
    private static func implied(by known: [Known]) -> [Known] {
        let operations = known.filter { $0.place?.hasPrefix("body:") == true && $0.code == Violation.Kind.missing.rawValue }.compactMap(
            \.operation)
        return Set(operations).sorted().map { operation in
            let finding = Finding(Violation.Kind.syntax.rawValue, at: "body", "")
            return Known(
                fingerprint: finding.fingerprint(in: operation), operation: operation, place: finding.place, code: finding.code,
                isImplied: true)
        }
    }

    /// The same without the object around it.
    package init(findings: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
        guard let findings = findings.array else { throw ConfigurationError(pointer, "expected a list of findings") }
        var known: [Known] = []
        for (index, finding) in findings.enumerated() {
            let place = pointer.appending(index)
            guard let fingerprint = finding["fingerprint"]?.string, fingerprint.utf8.count == 16 else {
                throw ConfigurationError(place.appending("fingerprint"), "expected a fingerprint of 16 hexadecimal digits")
            }
            known.append(
                Known(
                    fingerprint: fingerprint, operation: finding["operation"]?.string, place: finding["place"]?.string,
                    code: finding["code"]?.string, words: finding["words"]?.string, isImplied: finding["implied"]?.bool ?? false))
        }
        self.init(known)
    }

    package var json: JSON { ["version": .integer(Self.version), "findings": .array(all.map(\.json))] }

    /// The same with a line for each finding, so that a change of one is a change of a line.
    package var text: String {
        let lines = all.map { "    " + $0.json.text }.joined(separator: ",\n")
        return "{\n  \"version\": \(Self.version),\n  \"findings\": [\n\(lines)\n  ]\n}\n"
    }

    /// The members of such a file that a new one does not have, as people add them: `owner`, `ticket (in 2 findings)`.
    package static func additions(in json: JSON) -> [String] {
        func names(_ json: JSON) -> [String] { (json.object ?? [:]).map(\.key) }
        let own = names(json).filter { !["version", "findings"].contains($0) }
        var counts: [String: Int] = [:]
        for name in (json["findings"]?.array ?? []).flatMap(names)
        where !["fingerprint", "operation", "place", "code", "implied"].contains(name) {
            counts[name, default: 0] += 1
        }
        return own + counts.sorted { $0.key < $1.key }.map { "\($0.key) (in \($0.value) \($0.value == 1 ? "finding" : "findings"))" }
    }

    /// The baseline of what was found, but for what breaks nothing of the client's. It is checked in and shared, so it has no words: those may quote what the
    /// client sent.
    ///
    /// - Parameter rules: those that were broken.
    package static func of(_ findings: [ContractFinding], rules: [RuleSummary] = []) -> FindingBaseline {
        var seen: Set<String> = []
        let rows = findings.filter { ![.own, .refused].contains($0.weight) }.map {
            Known(fingerprint: $0.fingerprint, operation: $0.operation, place: $0.place, code: $0.code)
        }
        let broken = rules.map(\.finding).map { Known(fingerprint: $0.fingerprint(in: ""), place: $0.place, code: $0.code) }
        return FindingBaseline((rows + broken).filter { seen.insert($0.fingerprint).inserted })
    }
}

extension RuleSummary {
    /// Stands for the rule's breach in a baseline.
    var finding: Finding { Finding("broken-rule", at: qualifiedName, "") }
}

extension FindingBaseline.Known {
    var json: JSON {
        .members([
            "fingerprint": .string(fingerprint), "operation": operation.map { .string($0) }, "place": place.map { .string($0) },
            "code": code.map { .string($0) }, "words": words.map { .string($0) }, "implied": isImplied ? true : nil,
        ])
    }
}
