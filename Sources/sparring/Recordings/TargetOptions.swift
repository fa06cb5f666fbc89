import ArgumentParser
import Foundation
import SparringClient
import SparringContract
import SparringEngine

/// The vendors' own servers that calls are passed on to.
struct TargetOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "A vendor's base URL; VENDOR.TAG=URL and VENDOR.OPERATION=URL are for a part of its operations. May be given several times.",
            valueName: "vendor=url"))
    var targets: [String] = []
    @Option(
        name: .customLong("ca"), help: ArgumentHelp("A further authority that is trusted, in PEM.", valueName: "file"), completion: .file())
    var authority: String?

    func validate() throws {
        if targets.isEmpty { throw ValidationError("--to is missing: nothing is passed on to a host that is not given") }
    }

    func read(_ contracts: [Contract]) throws -> VendorTargets {
        do { return try VendorTargets(targets, contracts.filter { $0.vendor != "admin" }) } catch {
            throw CommandFailure(text: "--to: \(error)", status: 64)
        }
    }

    func tls() throws -> ClientTLS? {
        try authority.map { file in
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw CommandFailure(text: "\(file) cannot be read", status: 66)
            }
            return try ClientTLS(certificate: nil, key: nil, trusted: String(decoding: bytes, as: UTF8.self))
        }
    }
}
