/// The proxies that the environment names for HTTP clients.
enum Proxies {
    private static let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    private static let exceptions = ["NO_PROXY", "no_proxy"]

    /// Variables that lead clients to a forward proxy on this machine: libraries read either spelling, and Node, from version 24 on, with the last variable set.
    static func variables(port: Int) -> [String: String] {
        let url = "http://127.0.0.1:\(port)"
        return Dictionary(uniqueKeysWithValues: names.prefix(4).map { ($0, url) } + [("NODE_USE_ENV_PROXY", "1"), ("SPARRING_PROXY", url)])
    }

    /// The first variable that names one.
    static var variable: String? { names.first { Variables[$0] != nil } }

    /// Variables that keep clients from asking the proxy for Sparring's addresses: they read either spelling, and a name with a dot in front stands for those below it. Empty where
    /// the environment names no proxy.
    static func exceptions(for host: String) -> [String: String] {
        if variable == nil { return [:] }
        var list = exceptions.compactMap { Variables[$0] }.flatMap { $0.split(separator: ",").map(String.init) }
        for name in [host, "localhost", ".localhost", "127.0.0.1", "::1"] where !list.contains(name) { list.append(name) }
        return Dictionary(uniqueKeysWithValues: exceptions.map { ($0, list.joined(separator: ",")) })
    }

    /// In words, a variable whose proxy clients would ask for the host; nil: there is none.
    static func obstacle(for host: String) -> String? {
        guard let variable,
            !exceptions.contains(where: { Variables[$0]?.split(separator: ",").contains { $0 == host || $0 == "*" } == true })
        else { return nil }
        return "\(variable) names a proxy, which clients may ask for \(host): add it to NO_PROXY"
    }
}
