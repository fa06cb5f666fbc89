package import ParrotVendor

extension BirdAdmin {
    /// - Parameters:
    ///   - prefix: of the paths; nil: where they must be.
    ///   - id: of the operation that both have.
    package static func contract(of vendor: String, prefix: String? = nil, id: String = "squawk") -> String {
        var text = ParrotFiles.contract("admin.openapi")
        text.replace("/__admin/sandboxes/{sandbox}/parrot/", with: prefix ?? "/__admin/sandboxes/{sandbox}/\(vendor)/")
        text.replace("operationId: squawk", with: "operationId: \(id)")
        text.replace("vendor: parrot", with: "vendor: \(vendor)")
        return text
    }
}
