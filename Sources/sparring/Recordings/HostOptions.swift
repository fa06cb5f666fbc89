import ArgumentParser
import SparringContract

/// Hosts that count as vendors'.
struct HostOptions: ParsableArguments {
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "A host whose calls are a vendor's, beside the vendors' own and this machine's; may be given several times.", valueName: "host")
    )
    var names: [String] = []

    var hosts: [ServerHost] { names.compactMap { ServerHost($0) } }

    func validate() throws {
        for name in names where ServerHost(name) == nil {
            throw ValidationError("--host '\(name)' is not a host name; one part of it may be '*', as in '*.vendor.example'")
        }
    }
}
