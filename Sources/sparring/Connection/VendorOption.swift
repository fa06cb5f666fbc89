import ArgumentParser

/// `--vendor`, for what several vendors may have.
struct VendorOption: ParsableArguments {
    @Option(name: .customLong("vendor"), help: "The vendor, if several are possible.", completion: KnownNames.vendors) var name: String?
}
