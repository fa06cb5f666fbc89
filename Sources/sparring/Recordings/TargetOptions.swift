import ArgumentParser
import SparringContract
import SparringEngine

/// The vendors' own servers that calls are passed on to.
struct TargetOptions: ParsableArguments {
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "A vendor's base URL; VENDOR.TAG=URL and VENDOR.OPERATION=URL set it for some of its operations. May be given several times.",
            valueName: "vendor=url"))
    var targets: [String] = []

    func validate() throws {
        if targets.isEmpty { throw ValidationError("--to is missing: calls are forwarded only to hosts that you give") }
    }

    func read(_ contracts: [Contract]) throws -> VendorTargets {
        do { return try VendorTargets(targets, contracts.filter { $0.vendor != "admin" }) } catch {
            throw CommandFailure(text: "--to: \(error)", status: 64)
        }
    }
}
