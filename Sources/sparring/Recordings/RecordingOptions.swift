import ArgumentParser
import Foundation
import SparringAdmin
import SparringContract
import SparringJSON

/// The archive that is read, and whose calls count.
struct RecordingOptions: ParsableArguments {
    @Argument(help: "The archive; '-' is standard input.", completion: .file()) var file: String
    @OptionGroup var named: HostOptions

    /// The file's name, without its folder.
    var name: String { (file as NSString).lastPathComponent }

    func archive() throws -> Archive { try Self.archive(try Self.json(of: file), file) }

    /// - Parameter file: '-' is standard input.
    static func json(of file: String) throws -> JSON {
        guard let data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file) else {
            throw CommandFailure(text: "\(file) cannot be read", status: 66)
        }
        do throws(JSONSyntaxError) { return try JSON(parsing: data) } catch {
            throw CommandFailure.notJSON(file == "-" ? "standard input" : file, error)
        }
    }

    static func archive(_ json: JSON, _ file: String) throws -> Archive {
        do { return try Archive(json) } catch { throw CommandFailure(text: "\(file): \(error.pointer): \(error.message)", status: 65) }
    }

    /// The archive's calls, held against these contracts.
    func read(_ archive: Archive, _ contracts: [Contract]) throws -> RecordingReader {
        var reader = try RecordingReader(contracts, hosts: named.hosts)
        reader.take(archive)
        return reader
    }

    /// - Throws: ``CommandFailure`` where no call is a vendor's.
    func requireCalls(in reader: RecordingReader) throws {
        guard reader.count == 0 else { return }
        let others = reader.others.isEmpty ? "" : ": it has calls to \(Self.listed(reader.others)); --host names a host that is a vendor's"
        throw CommandFailure(text: "no call in \(file) goes to a vendor\(others)", status: 2)
    }

    static func listed(_ hosts: [String: Int]) -> String {
        let sorted = hosts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let words = sorted.prefix(10).map { "\(Terminal.printable($0.key)) (\($0.value))" }.joined(separator: ", ")
        return sorted.count > 10 ? words + " and \(sorted.count - 10) more" : words
    }
}
