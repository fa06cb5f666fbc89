/// How each platform is led to the vendors' own host names by the forward proxy.
extension TrustTarget {
    /// In words and commands, for a server whose proxy has this port.
    func proxySteps(_ port: Int) -> String {
        let local = "http://127.0.0.1:\(port)"
        switch self {
        case .iosSimulator:
            return """
                The forward proxy, for an app that has its vendor's hosts built in. A simulator uses the Mac's settings (Wi-Fi is the name of the network service):
                networksetup -setsecurewebproxy Wi-Fi 127.0.0.1 \(port)
                networksetup -setwebproxy Wi-Fi 127.0.0.1 \(port)

                Everything else on the Mac uses it too: start the server with --proxy-others pass. To undo it:
                networksetup -setsecurewebproxystate Wi-Fi off
                networksetup -setwebproxystate Wi-Fi off
                """
        case .iosDevice:
            return """
                The forward proxy, for an app that has its vendor's hosts built in: Settings > Wi-Fi > (i) > Configure Proxy > Manual,
                server YOUR-MACHINE.local, port \(port). The rest of the device uses it too: start the server with --proxy-others pass.
                """
        case .android:
            return """
                The forward proxy, for an app that has its vendor's hosts built in. On an emulator:
                adb shell settings put global http_proxy 10.0.2.2:\(port)

                On a device:
                adb reverse tcp:\(port) tcp:\(port)
                adb shell settings put global http_proxy 127.0.0.1:\(port)

                The rest of the system uses it too: start the server with --proxy-others pass. To undo it:
                adb shell settings put global http_proxy :0
                """
        case .macos:
            return """
                The forward proxy, for apps that have their vendor's hosts built in (Wi-Fi is the name of the network service):
                networksetup -setsecurewebproxy Wi-Fi 127.0.0.1 \(port)

                Everything on the Mac uses it: start the server with --proxy-others pass. To undo it:
                networksetup -setsecurewebproxystate Wi-Fi off
                """
        case .debian, .python:
            return """
                The forward proxy, for an app that has its vendor's hosts built in:
                export HTTPS_PROXY=\(local) HTTP_PROXY=\(local) https_proxy=\(local) http_proxy=\(local)
                """
        case .node:
            return """
                The forward proxy, for an app that has its vendor's hosts built in, from Node 24 on (fetch, http and https):
                export NODE_USE_ENV_PROXY=1 HTTPS_PROXY=\(local) HTTP_PROXY=\(local)

                Before that, in the app: setGlobalDispatcher(new ProxyAgent('\(local)')), both from the package undici, for fetch;
                { agent: new HttpsProxyAgent('\(local)') }, from the package https-proxy-agent, for https and ws.
                """
        case .java:
            return """
                The forward proxy, for an app that has its vendor's hosts built in:
                export JAVA_TOOL_OPTIONS="$JAVA_TOOL_OPTIONS -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=\(port) -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=\(port)"
                """
        case .curl: return "The forward proxy, under a vendor's own name: curl --proxy \(local) --cacert … https://api.liveperson.net/…"
        }
    }
}
