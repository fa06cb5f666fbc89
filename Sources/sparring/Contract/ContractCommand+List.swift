import ArgumentParser
import SparringContract
import SparringJSON

extension ContractCommand {
    struct List: LocalCommand {
        static let abstract = "List operations and messages."
        static let discussion = """
              sparring contract list --vendor liveperson
              sparring contract list --fidelity assumed
            """

        @Option(help: "Only this vendor's.") var vendor: String?
        @Option(help: "Only these (values: verified, inferred, assumed).", completion: .list(["verified", "inferred", "assumed"]))
        var fidelity: String?
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var source: Source

        func validate() throws {
            let words = Fidelity.allCases.map(\.rawValue)
            if let fidelity, !words.contains(fidelity) {
                throw ValidationError("--fidelity: '\(fidelity)' is not one of \(words.joined(separator: ", ")).")
            }
        }

        func perform() async throws {
            let contracts = try source.folder().contracts
            if let vendor, !contracts.contains(where: { $0.vendor == vendor }) {
                let hint = Nearest.hint(for: vendor, in: contracts.map(\.vendor))
                throw CommandFailure(text: "there is no contract of '\(Terminal.printable(vendor))'\(hint)", status: 64)
            }
            let points = ContractPoint.all(of: contracts).filter { point in
                (vendor == nil || point.vendor == vendor) && (fidelity == nil || point.fidelity.rawValue == fidelity)
            }
            if json { return try Terminal.print(JSON.array(points.map(\.json)).text) }
            var table = Table("operation", "way", "fidelity")
            for point in points { table.add(point.name, point.way, point.fidelity.rawValue) }
            try Terminal.print(table.text)
        }
    }
}

extension ContractPoint {
    fileprivate var json: JSON {
        .members([
            "operation": .string(name), "tag": .string(tag), "way": .string(way), "fidelity": .string(fidelity.rawValue),
            "answers": operation.map { .array($0.answers.map { .string($0.name) }) },
        ])
    }
}
