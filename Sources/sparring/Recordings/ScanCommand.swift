import ArgumentParser
import Foundation
import SparringJournal

/// `sparring scan`
struct ScanCommand: LocalCommand {
    static let abstract = "Look for credentials that are left in files."
    static let discussion = """
        For files that are to be shared or committed: recordings, exported journals, reports, logs. Placeholders such as \u{AB}jwt:1\u{BB} are none. Exits with 1 \
        where something has the look of a credential, and says where; the values are not printed.
          sparring scan traffic.har
          git diff --cached --name-only -- '*.har' | xargs sparring scan
        """

    @Argument(help: "The files; '-' is standard input.", completion: .file()) var files: [String]

    func perform() async throws {
        var count = 0
        for file in files {
            let name = file == "-" ? "standard input" : file
            guard let data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
            else {
                throw CommandFailure(text: "\(file) cannot be read", status: 66)
            }
            let findings = CredentialScan(String(decoding: data, as: UTF8.self)).findings
            for finding in findings { try Terminal.print(Terminal.printable("\(name): \(finding.place): \(finding.kind)")) }
            count += findings.count
        }
        guard count > 0 else { return }
        throw CommandFailure(
            text: count == 1 ? "1 value has the look of a credential" : "\(count) values have the look of a credential", status: 1)
    }
}
