import Foundation
import SparringAdmin
import SparringContract

/// The files of accepted proposals.
struct LearntFiles {
    let folder: String
    /// The folder of the contracts.
    let contracts: String
    /// Overlays that hold already.
    let overlays: [Overlay]

    /// Writes overlays and settings, and says how to use them.
    ///
    /// - Throws: ``CommandFailure`` where one of the files exists, and where the contracts would not be sound with a proposal.
    func write(_ accepted: [Proposal]) throws {
        var files = Proposals.documents(of: accepted).map { document in
            (path: "\(folder)/\(document)", text: Proposals.overlay(of: document, accepted, version: sparringVersion), isOverlay: true)
        }
        for file in files {
            do {
                _ = try ContractFolder(path: contracts, overlays: overlays + [try Overlay(parsing: file.text, file: file.path)])
            } catch { throw CommandFailure(text: "the contracts would not be valid with all that is accepted: \(error)", status: 65) }
        }
        if let settings = Proposals.configuration(accepted) { files.append(("\(folder)/settings.yaml", settings, false)) }
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            throw CommandFailure(text: "\(file.path) already exists and is left unchanged: give another folder with --out", status: 73)
        }
        try CommandFailure.writing(folder) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in files { try Data(file.text.utf8).write(to: URL(fileURLWithPath: file.path), options: .withoutOverwriting) }
        }
        let options = files.map { $0.isOverlay ? "--overlay \($0.path)" : "--config \($0.path)" }.joined(separator: " ")
        try Terminal.print("\(accepted.count) proposals accepted\nuse them: sparring serve \(options)")
    }
}
