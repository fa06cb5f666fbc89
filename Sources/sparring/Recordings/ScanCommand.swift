import ArgumentParser
import Foundation
import SparringJournal

/// `sparring scan`
struct ScanCommand: LocalCommand {
    static let abstract = "Look for credentials that are left in files."
    static let discussion = """
        For files that you want to share or commit: recordings, exported journals, reports, logs. Placeholders such as \u{AB}jwt:1\u{BB} \
        do not count. Exits with 1 if something looks like a credential, and says where; it does not print the values.
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
            text: count == 1 ? "1 value looks like a credential" : "\(count) values look like credentials", status: 1)
    }
}
