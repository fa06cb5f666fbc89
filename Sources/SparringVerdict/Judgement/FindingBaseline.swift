public import SparringJSON

/// Violations of the contract that are known, so that a gate can be switched on before the last of them is mended.
public struct FindingBaseline: Sendable {
    public struct Known: Sendable {
        public var fingerprint: String
        /// For readers of the file.
        public var operation, place, code, words: String?
    }

    public private(set) var all: [Known]
    private let fingerprints: Set<String>

    public init(_ all: [Known] = []) {
        self.all = all
        fingerprints = Set(all.map(\.fingerprint))
    }

    public func has(_ fingerprint: String) -> Bool { fingerprints.contains(fingerprint) }

    /// Reads what ``text`` has, and any object with `findings` that have a `fingerprint`.
    ///
    /// - Throws: ``ConfigurationError`` with the place of what is missing or of another type.
    public init(json: JSON, at pointer: JSONPointer = .root) throws(ConfigurationError) {
        guard let findings = json["findings"] else {
            throw ConfigurationError(pointer, "expected an object with 'findings', as --write-known writes it")
        }
        try self.init(findings: findings, at: pointer.appending("findings"))
    }

    /// The same without the object around it.
    public init(findings: JSON, at pointer: JSONPointer) throws(ConfigurationError) {
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
                    code: finding["code"]?.string, words: finding["words"]?.string))
        }
        self.init(known)
    }

    public var json: JSON { ["findings": .array(all.map(\.json))] }

    /// The same with a line for each finding, so that a change of one is a change of a line.
    public var text: String {
        let lines = all.map { "    " + $0.json.text }.joined(separator: ",\n")
        return "{\n  \"findings\": [\n\(lines)\n  ]\n}\n"
    }

    /// The baseline of what was found. It is checked in and shared, so it has no words: those may quote what the client sent.
    public static func of(_ findings: [ContractFindings]) -> FindingBaseline {
        var seen: Set<String> = []
        let rows = findings.flatMap(\.rows).filter { $0.weight != .own && seen.insert($0.fingerprint).inserted }
        return FindingBaseline(
            rows.map { Known(fingerprint: $0.fingerprint, operation: $0.operation, place: $0.place, code: $0.code) })
    }
}

extension FindingBaseline.Known {
    var json: JSON {
        .members([
            "fingerprint": .string(fingerprint), "operation": operation.map { .string($0) }, "place": place.map { .string($0) },
            "code": code.map { .string($0) }, "words": words.map { .string($0) },
        ])
    }
}
