import SparringContract

/// The admin API's paths, where alone the client writes them.
enum AdminPath {
    static let version = "/__admin/version"
    static let certificateAuthority = "/__admin/ca"
    static let certificateProfile = "/__admin/ca.mobileconfig"
    static let health = "/__admin/health"
    static let operations = "/__admin/operations"
    static let unplaced = "/__admin/unplaced"
    static let scenarios = "/__admin/scenarios"
    static let sandboxes = "/__admin/sandboxes"

    static func sandbox(_ sandbox: String) -> String { sandboxes + "/" + segment(sandbox) }
    static func scenario(named name: String) -> String { scenarios + "/" + segment(name) }
    static func scenario(_ sandbox: String) -> String { self.sandbox(sandbox) + "/scenario" }
    static func reset(_ sandbox: String) -> String { self.sandbox(sandbox) + "/reset" }
    static func tenant(_ sandbox: String, _ vendor: String) -> String { self.sandbox(sandbox) + "/tenants/" + segment(vendor) }
    static func keyRotation(_ sandbox: String, _ vendor: String) -> String { tenant(sandbox, vendor) + "/keys/rotate" }
    static func clock(_ sandbox: String) -> String { self.sandbox(sandbox) + "/clock" }
    static func advance(_ sandbox: String) -> String { clock(sandbox) + "/advance" }
    static func clockWait(_ sandbox: String) -> String { clock(sandbox) + "/wait" }
    static func faults(_ sandbox: String) -> String { self.sandbox(sandbox) + "/faults" }
    static func fault(_ sandbox: String, _ number: Int) -> String { faults(sandbox) + "/\(number)" }
    static func journal(_ sandbox: String) -> String { self.sandbox(sandbox) + "/journal" }
    static func verdicts(_ sandbox: String) -> String { self.sandbox(sandbox) + "/verdicts" }
    static func marks(_ sandbox: String) -> String { journal(sandbox) + "/marks" }
    static func entry(_ sandbox: String, _ number: Int) -> String { journal(sandbox) + "/\(number)" }
    static func export(_ sandbox: String, _ number: Int) -> String { entry(sandbox, number) + "/export" }
    static func past(_ sandbox: String, _ number: Int) -> String { entry(sandbox, number) + "/world" }
    static func fork(_ sandbox: String, _ number: Int) -> String { entry(sandbox, number) + "/fork" }
    static func resend(_ sandbox: String, _ number: Int) -> String { entry(sandbox, number) + "/resend" }
    static func sockets(_ sandbox: String) -> String { self.sandbox(sandbox) + "/sockets" }
    static func socketEnd(_ sandbox: String, _ number: Int) -> String { sockets(sandbox) + "/\(number)/end" }
    static func wait(_ sandbox: String) -> String { journal(sandbox) + "/wait" }
    static func devices(_ sandbox: String) -> String { self.sandbox(sandbox) + "/devices" }
    static func notifications(_ sandbox: String, _ device: String) -> String { devices(sandbox) + "/" + segment(device) + "/notifications" }
    static func notificationWait(_ sandbox: String, _ device: String) -> String { notifications(sandbox, device) + "/wait" }
    static func simulatorFile(_ sandbox: String, _ device: String, _ number: Int) -> String {
        notifications(sandbox, device) + "/\(number).apns"
    }
    static func renewal(_ sandbox: String, _ device: String) -> String { devices(sandbox) + "/" + segment(device) + "/token" }
    static func acts(_ sandbox: String) -> String { self.sandbox(sandbox) + "/acts" }
    static func conversations(_ sandbox: String) -> String { self.sandbox(sandbox) + "/conversations" }
    static func consumers(_ sandbox: String) -> String { self.sandbox(sandbox) + "/consumers" }
    static func credentials(_ sandbox: String) -> String { self.sandbox(sandbox) + "/credentials" }

    /// A path with a query of those parameters that have a value.
    static func with(_ path: String, query: KeyValuePairs<String, String?>) -> String {
        let pairs = query.compactMap { name, value in value.map { name + "=" + segment($0) } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    private static func segment(_ text: String) -> String { PercentCoding.encoded(text) }
}
