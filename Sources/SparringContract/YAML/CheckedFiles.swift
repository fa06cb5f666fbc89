internal import Crypto
public import Foundation
internal import SparringJSON

/// Files that this build of the program has checked when it was installed, so that it need not check them at every start: contracts, rules and scenarios,
/// each by the hash of its content. The trees of the contracts and rules are kept too, since reading YAML takes most of a start.
///
/// A file that was changed since is read and checked as usual; so are all of them where another build of the program is started.
public struct CheckedFiles: Sendable {
    static let listName = "checked.json"
    static let treesName = "contracts.bin"

    /// SHA-256 in hexadecimal by the file's name.
    private let hashes: [String: String]
    private let ranges: [String: Range<Int>]
    private let bytes: [UInt8]

    /// Nil where nothing counts: the folder has no such list, it is damaged, or another build of the program has written it.
    ///
    /// - Parameters:
    ///   - folder: in which ``write(_:to:build:)`` has left it.
    ///   - build: an id that only this build of the program has; nil: it has none.
    public init?(in folder: String, build: String?) {
        guard let build, let list = FileManager.default.contents(atPath: "\(folder)/\(Self.listName)"),
            let json = try? JSON(parsing: Array(list)), json["build"]?.string == build,
            let trees = FileManager.default.contents(atPath: "\(folder)/\(Self.treesName)"),
            json["trees"]?.string == Self.hash(trees)
        else { return nil }
        var hashes: [String: String] = [:]
        var ranges: [String: Range<Int>] = [:]
        for (name, file) in json["files"]?.object ?? [:] {
            hashes[name] = file["sha256"]?.string
            guard let begin = file["begin"]?.integer(in: 0...Int64(trees.count)),
                let end = file["end"]?.integer(in: begin...Int64(trees.count))
            else {
                continue
            }
            ranges[name] = Int(begin)..<Int(end)
        }
        self.hashes = hashes
        self.ranges = ranges
        bytes = Array(trees)
    }

    /// Whether a file has been checked with just this content.
    public func has(_ name: String, _ content: Data) -> Bool { hashes[name].map { $0 == Self.hash(content) } ?? false }

    /// The names of the files whose trees are kept.
    var trees: Set<String> { Set(ranges.keys) }

    /// The tree of a file that has been checked with just this content.
    ///
    /// - Parameter file: its path, as errors say it.
    func tree(of content: Data, file: String) -> YAMLNode? {
        let name = Self.name(file)
        guard let range = ranges[name], has(name, content) else { return nil }
        return try? TreeReader.tree(of: bytes[range], file: file)
    }

    /// Writes the list and the trees of files that have just been checked.
    ///
    /// - Parameters:
    ///   - contracts: paths of the contracts and rules.
    ///   - scenarios: paths of the scenarios.
    /// - Throws: ``ContractError`` for a file that cannot be read; what the file system says where it cannot be written.
    public static func write(contracts: [String], scenarios: [String], to folder: String, build: String) throws {
        var trees: [UInt8] = []
        var files = JSON.Object()
        for path in contracts + scenarios {
            let text = try YAMLFile.text(of: path)
            var file: JSON = ["sha256": .string(hash(Data(text.utf8)))]
            if contracts.contains(path) {
                file["begin"] = .integer(Int64(trees.count))
                trees += TreeWriter.bytes(of: try YAMLNode(parsing: text, file: path))
                file["end"] = .integer(Int64(trees.count))
            }
            files[name(path)] = file
        }
        try Data(trees).write(to: URL(fileURLWithPath: "\(folder)/\(treesName)"))
        let list: JSON = ["build": .string(build), "trees": .string(hash(Data(trees))), "files": .object(files)]
        try Data((list.text + "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/\(listName)"))
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func hash(_ content: Data) -> String {
        SHA256.hash(data: content).hex
    }
}
