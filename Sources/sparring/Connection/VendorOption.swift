import ArgumentParser
import SparringJSON

/// `--vendor`, for what several vendors may have.
struct VendorOption: ParsableArguments {
    @Option(name: .customLong("vendor"), help: "The vendor, if several are possible.") var name: String?
}

extension AdminClient {
    /// Calls a vendor's admin operation by its name.
    func act(_ operation: String, _ with: JSON, of vendor: VendorOption, in sandbox: SandboxOptions) async throws -> AdminAnswer {
        try await call(
            .act, in: sandbox.name,
            body: .members(["operation": .string(operation), "vendor": vendor.name.map { .string($0) }, "with": with]))
    }
}
