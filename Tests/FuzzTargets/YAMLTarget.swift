import Foundation
import SparringAdmin
import SparringContract
import SparringJSON
import SparringSandbox
import SparringVerdict

/// Files that people write: whatever stands in them, the reader says what is wrong, with the file, or has read them.
enum YAMLTarget {
    /// The most values that a text may become: its aliases (YAML 1.2.2 §7.1) are names for what it holds, not a way to hold more.
    private static let limit = 1_000_000
    private static let file = "x.yaml"

    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        try attempt {
            let document = try YAMLDocument(parsing: text, file: file)
            var left = limit
            count(document.json, &left)
            if left <= 0 { throw FuzzFailure("\(bytes.count) bytes became more than \(limit) values") }
        }
        // A contract's two documents, parted by a line of its own.
        let parts = text.components(separatedBy: "\n%%%\n")
        try attempt {
            let messages = parts.count > 1 ? (yaml: parts[1], file: "x.asyncapi.yaml") : nil
            let contract = try Contract(parsing: parts[0], file: file, vendor: "x", messages: messages)
            try use(contract)
        }
        try attempt { _ = try ConfigurationFile(parsing: text, file: file) }
        try attempt {
            let file = try ScenarioFile(parsing: text, file: file)
            try Stage.shared.server.scenarios.check(file)
        }
        try behaviours(bytes)
    }

    /// - Throws: ``FuzzFailure`` for an error that does not say where.
    private static func attempt(_ body: () throws -> Void) throws {
        do { try body() } catch let error as ContractError {
            guard "\(error)".contains("x.") || "\(error)".contains("behaviour") else {
                throw FuzzFailure("an error without its file: \(error)")
            }
        }
    }

    private static func count(_ value: JSON, _ left: inout Int) {
        left -= 1
        guard left > 0 else { return }
        switch value {
        case .array(let elements): for element in elements { count(element, &left) }
        case .object(let members): for (_, member) in members { count(member, &left) }
        default: break
        }
    }

    /// A contract that was read can be used.
    private static func use(_ contract: Contract) throws {
        let routes = try Routes([contract])
        for operation in contract.operations {
            for media in operation.requestBody?.mediaTypes ?? [] {
                for example in media.examples { _ = media.schema?.violations(in: example.value) }
                for value: JSON in [.null, "", 0, [], [:], .integer(.max), .number(1e300), "2026-01-01T00:00:00Z", "\u{0}"] {
                    _ = media.schema?.violations(in: value)
                }
            }
            _ = routes.match(method: operation.method, target: operation.pathTemplate, host: "127.0.0.1")
        }
    }

    /// They are read from a folder.
    private static let folder = Result { () throws -> (path: String, contracts: [Contract]) in
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-behaviours-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let contracts = try Contract.load(directory: FuzzHome.folder("contracts")).filter { $0.vendor == "identity" }
        return (folder.path, contracts)
    }

    private static func behaviours(_ bytes: [UInt8]) throws {
        guard String(decoding: bytes.prefix(4096), as: UTF8.self).contains("behaviour") else { return }
        let (path, contracts) = try folder.get()
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/identity.behaviour.yaml"))
        try attempt { _ = try Behaviours(folder: path, contracts: contracts, effects: FaultVocabulary.words) }
    }
}
