import ArgumentParser
import Foundation
import SparringAdmin
import SparringHTTP

/// The server that a run uses, or the way it starts its own.
struct RunPlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A server that is already running.", valueName: "url")) var url: String?
    @Option(help: "Token of that server's admin API. Default: SPARRING_ADMIN_TOKEN.") var adminToken: String?
    @Flag(help: "Keep the sandbox on that server, so that you can look at it.") var keep = false
    @Option(help: "Port for plain HTTP of the run's own server. Default: a free one.") var port = 0
    @Option(help: "Port for TLS. Default: a free one.") var tlsPort = 0
    @Option(name: .customLong("host"), help: "An additional name of this machine for the certificate; may be given several times.")
    var hosts: [String] = []
    @Option(help: ArgumentHelp("YAML file that declares sandboxes, as for `serve --config`.", valueName: "file"), completion: .file())
    var config: String?
    @Option(
        name: .customLong("vendor"),
        help: "Start only this vendor, and the identity provider; may be given several times. Default: all.", completion: KnownNames.vendors
    )
    var vendors: [String] = []
    @OptionGroup var overlays: OverlayOptions
    @OptionGroup var probed: ProbedOptions
    @OptionGroup var proxy: ProxyOptions
    @Option(
        help: ArgumentHelp(
            "Folder of the certificate authority. Default: sparring in XDG_DATA_HOME, else in ~/.local/share.", valueName: "folder"),
        completion: .directory)
    var caFolder: String?
    @Option(help: ArgumentHelp("Keep the database, for `sparring verify --database`.", valueName: "file"), completion: .file())
    var database: String?

    func validate() throws {
        if url != nil {
            let others = [
                ("--database", database != nil), ("--port", port != 0), ("--tls-port", tlsPort != 0), ("--host", !hosts.isEmpty),
                ("--config", config != nil), ("--overlay", !overlays.files.isEmpty), ("--vendor", !vendors.isEmpty),
                ("--proxy-port", proxy.port != nil), ("--ca-folder", caFolder != nil),
            ]
            if let other = others.first(where: \.1) {
                throw ValidationError("--url and \(other.0) cannot be used together: that server has its own settings.")
            }
        }
        if url == nil, keep { throw ValidationError("--keep needs --url: a server of the command's own ends with it.") }
        if url == nil, adminToken != nil { throw ValidationError("--admin-token needs --url: it is for a server that is already running.") }
        try ChosenPort.validate([
            ChosenPort("--port", port), ChosenPort("--tls-port", tlsPort), ChosenPort("--proxy-port", proxy.port ?? 0),
        ])
    }

    /// - Throws: where several plays at once cannot be.
    func validateForJobs() throws {
        let singles = [
            ("--url", url != nil), ("--port", port != 0), ("--tls-port", tlsPort != 0), ("--database", database != nil),
            ("--proxy-port", proxy.port ?? 0 != 0),
        ]
        if let single = singles.first(where: \.1) {
            throw ValidationError(
                "--jobs above 1 and \(single.0) cannot be used together: each play has its own server, on free ports.")
        }
    }

    /// The token of the server that is already running.
    var token: String? { url == nil ? nil : adminToken ?? Variables["SPARRING_ADMIN_TOKEN"] }

    /// - Parameter isStrict: of a server that is the run's own.
    func place(isStrict: Bool) throws -> RunServer.Place {
        if let url { return .existing(url: try ConnectionOptions.baseURL(url, "--url"), token: token) }
        var launch = try ServerLaunch(
            try Resources.locate(), overlays: try overlays.read(), isStrict: isStrict, vendors: vendors, database: database)
        let configuration = try config.map { try ConfigurationFile.read($0) }
        launch.options.live = try probed.read()
        launch.hosts = hosts
        launch.ports.port = port
        let authority = try Resources.authority(in: caFolder)
        try launch.serveTLS(on: tlsPort, with: authority)
        proxy.apply(to: &launch, authority)
        launch.ports.extraPorts = try authority.defectivePorts(hosts: launch.certificateHosts)
        return .new(launch, configuration)
    }
}
