import ArgumentParser
import Foundation
import SparringClient

/// `--ca`, for commands that call a vendor's own server.
struct TrustOption: ParsableArguments {
    @Option(
        name: .customLong("ca"), help: ArgumentHelp("An additional authority to trust, in PEM.", valueName: "file"), completion: .file())
    var authority: String?

    /// - Throws: ``CommandFailure`` for a file that cannot be read.
    /// - Returns: nil where the machine's own list of authorities is all.
    func tls() throws -> ClientTLS? {
        try authority.map { file in
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw CommandFailure(text: "\(file) cannot be read", status: 66)
            }
            return try ClientTLS(certificate: nil, key: nil, trusted: String(decoding: bytes, as: UTF8.self))
        }
    }
}
