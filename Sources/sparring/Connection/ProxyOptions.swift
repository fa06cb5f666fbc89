import ArgumentParser
import SparringAdmin
import SparringContract
import SparringHTTP

/// The forward proxy of a server that is started.
struct ProxyOptions: ParsableArguments {
    @Option(
        name: .customLong("proxy-port"),
        help: """
            Port of a forward proxy; 0 picks a free one. A client that uses this proxy reaches the emulated vendors under their own \
            host names.
            """)
    var port: Int?
    @Option(
        name: .customLong("proxy-host"),
        help: ArgumentHelp(
            "An additional host that the proxy treats as one of Sparring's, such as '*.brand.example'; may be given several times.",
            valueName: "host"))
    var hosts: [String] = []
    @Option(
        name: .customLong("proxy-others"),
        help: "What the proxy does with calls to other hosts: 'refuse' rejects them, 'pass' forwards them unread.")
    var others: ForwardProxy.Others?

    func validate() throws {
        if let port, !(0...65535).contains(port) { throw ValidationError("--proxy-port must be from 0 to 65535") }
        if port == nil, !hosts.isEmpty || others != nil {
            throw ValidationError("\(others == nil ? "--proxy-host" : "--proxy-others") needs --proxy-port")
        }
        for host in hosts where ServerHost(host) == nil {
            throw ValidationError("--proxy-host '\(host)' is not a host name; one part of it may be '*', as in '*.brand.example'")
        }
    }

    /// Makes a server that is to be started open the proxy, where one is asked for.
    func apply(to launch: inout ServerLaunch, _ authority: LocalAuthority) {
        guard let port else { return }
        launch.ports.proxy = ForwardProxy(port: port, others: others ?? .refuse, authority: authority)
        launch.proxied = hosts.compactMap { ServerHost($0) }
    }
}

extension ForwardProxy.Others: ExpressibleByArgument {}
