public import SparringSandbox

/// Configurations as the handlers of their vendor want them.
extension Tenant {
    public func settings<V: Vendor>(of vendor: V.Type) -> V.Settings {
        guard let settings = settings as? V.Settings else {
            preconditionFailure("\(self.vendor) tenants are configured by their own vendor")
        }
        return settings
    }
}

extension Occasion {
    public func settings<V: Vendor>(of vendor: V) -> V.Settings { tenant.settings(of: V.self) }
}

extension Occurrence {
    public func settings<V: Vendor>(of vendor: V) -> V.Settings { occasion.settings(of: vendor) }
}
