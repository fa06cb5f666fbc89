extension Sandbox {
    /// The devices of all vendors, and what they got.
    public var devices: DeviceInbox { DeviceInbox(of: id) }
}
