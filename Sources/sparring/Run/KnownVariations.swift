import Foundation
import SparringJSON

/// Changes that clients have broken on in earlier runs, which are played first: `vary.json`.
struct KnownVariations {
    /// One failure: its changes alone were enough.
    struct Failure: Equatable {
        var scenario: String?
        var seed: Int64
        var only: [String]
        /// A description for people.
        var words: String
    }

    var failures: [Failure] = []

    private static let format: Int64 = 1

    init() {}

    /// Nothing where there is no such file.
    ///
    /// - Throws: ``CommandFailure`` for one that cannot be read, with what is wrong.
    init(reading file: String) throws {
        guard FileManager.default.fileExists(atPath: file) else { return }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(file): cannot be read", status: 66)
        }
        do {
            let json = try JSON(parsing: data)
            let whole = try Declaration(json, at: .root, known: ["format", "failures"])
            guard json["format"]?.integer == Self.format else { throw whole.error("format", "'format' is \(Self.format)") }
            failures = try whole.items("failures", known: ["scenario", "seed", "only", "words"]).map { item in
                guard let seed = item.json["seed"]?.integer(in: 0...Int64.max) else {
                    throw item.error("seed", "'seed' must be a whole number, 0 or more")
                }
                return Failure(
                    scenario: try item.optionalText("scenario"), seed: seed, only: try item.texts("only"),
                    words: try item.optionalText("words") ?? "")
            }
        } catch let error as JSONSyntaxError {
            throw CommandFailure.notJSON(file, error)
        } catch let error as ConfigurationError {
            throw CommandFailure(text: "\(file): \(error)", status: 65)
        }
    }

    /// Writes them, unless there is neither anything to write nor a file.
    func write(to file: String) throws {
        if failures.isEmpty, !FileManager.default.fileExists(atPath: file) { return }
        let json: JSON = [
            "format": .integer(Self.format),
            "failures": .array(
                failures.map { failure in
                    .members([
                        "scenario": failure.scenario.map { .string($0) }, "seed": .integer(failure.seed),
                        "only": .array(failure.only.map { .string($0) }), "words": .string(failure.words),
                    ])
                }),
        ]
        try ReportOptions.write(json.prettyText + "\n", to: file)
    }
}
