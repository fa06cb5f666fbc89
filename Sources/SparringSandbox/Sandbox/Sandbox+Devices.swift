extension Sandbox {
    /// The devices of all vendors, and what they got.
    public var devices: DeviceInbox { DeviceInbox(of: id) }
    /// The files of messages.
    public var files: StoredFiles { StoredFiles(of: id) }
}
