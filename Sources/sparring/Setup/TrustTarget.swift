import ArgumentParser

/// A target that can trust Sparring's CA, and the way to make it.
enum TrustTarget: String, CaseIterable, ExpressibleByArgument {
    case iosSimulator = "ios-simulator"
    case iosDevice = "ios-device"
    case android, macos, debian, node, python, java, curl

    /// The facts that the steps depend on.
    struct Facts {
        /// The CA's file.
        var authority: String
        var port: Int
        var tlsPort: Int
        /// The forward proxy's; nil where there is none.
        var proxyPort: Int?
        /// The URL of the profile for devices.
        var profile: String
    }

    var title: String {
        switch self {
        case .iosSimulator: "the iOS simulators that are booted"
        case .iosDevice: "an iPhone or iPad, by a profile"
        case .android: "an Android app, on a device or emulator"
        case .macos: "this Mac's login keychain"
        case .debian: "this Debian or Ubuntu"
        case .node: "Node.js"
        case .python: "Python: ssl, requests, httpx"
        case .java: "Java, by a trust store beside your project"
        case .curl: "curl"
        }
    }

    /// The steps to take, in words and commands.
    func steps(_ facts: Facts) -> String {
        let ca = ShellText.quoted(facts.authority)
        switch self {
        case .iosSimulator:
            return """
                xcrun simctl keychain booted add-root-cert \(ca)

                App Transport Security needs no exception: call the https URLs. To undo it, reset the simulator's whole keychain:
                xcrun simctl keychain booted reset
                """
        case .iosDevice:
            return """
                1. Start the server for the network: sparring serve --bind 0.0.0.0 --host YOUR-MACHINE.local
                2. Open \(facts.profile) in Safari on the device, by that name, and allow the download.
                3. Settings > General > VPN & Device Management: install the profile.
                4. Settings > General > About > Certificate Trust Settings: switch full trust on.
                """
        case .android:
            return """
                Apps trust what their network security configuration says. Put all of it into the debug source set, so that release builds do not include it.

                app/src/debug/res/xml/network_security_config.xml:

                <network-security-config>
                  <debug-overrides>
                    <trust-anchors>
                      <certificates src="@raw/sparring_ca"/>
                      <certificates src="system"/>
                    </trust-anchors>
                  </debug-overrides>
                </network-security-config>

                app/src/debug/AndroidManifest.xml:

                <manifest xmlns:android="http://schemas.android.com/apk/res/android">
                  <application android:networkSecurityConfig="@xml/network_security_config"/>
                </manifest>

                mkdir -p app/src/debug/res/raw && cp \(ca) app/src/debug/res/raw/sparring_ca.pem

                An emulator reaches this machine as 10.0.2.2, which the certificate covers. A device reaches it as localhost after:
                adb reverse tcp:\(facts.tlsPort) tcp:\(facts.tlsPort)
                adb reverse tcp:\(facts.port) tcp:\(facts.port)
                """
        case .macos: return "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(ca)"
        case .debian: return "sudo install -m 644 \(ca) /usr/local/share/ca-certificates/sparring.crt\nsudo update-ca-certificates"
        case .node: return "export NODE_EXTRA_CA_CERTS=\(ca)\n\n`sparring run` sets it for the command."
        case .python:
            return """
                cat "$(env -u SSL_CERT_FILE python3 -c 'import ssl; print(ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt")')" \(ca) > sparring-bundle.pem
                export SSL_CERT_FILE=$PWD/sparring-bundle.pem REQUESTS_CA_BUNDLE=$PWD/sparring-bundle.pem

                `sparring run` sets both for the command.
                """
        case .java:
            return """
                keytool -importcert -noprompt -alias sparring -file \(ca) -keystore sparring.p12 -storetype PKCS12 -storepass changeit
                export JAVA_TOOL_OPTIONS="-Djavax.net.ssl.trustStore=$PWD/sparring.p12 -Djavax.net.ssl.trustStorePassword=changeit"

                The JVM then trusts that store and no other.
                """
        case .curl: return "curl --cacert \(ca) https://localhost:\(facts.tlsPort)/__admin/health"
        }
    }

    /// The commands that `--apply` runs; empty where there is nothing that Sparring could run.
    func applying(_ facts: Facts) -> [[String]] {
        switch self {
        case .iosSimulator: [["xcrun", "simctl", "keychain", "booted", "add-root-cert", facts.authority]]
        case .android: [facts.tlsPort, facts.port].map { ["adb", "reverse", "tcp:\($0)", "tcp:\($0)"] }
        case .macos: [["security", "add-trusted-cert", "-r", "trustRoot", facts.authority]]
        case .debian:
            [["install", "-m", "644", facts.authority, "/usr/local/share/ca-certificates/sparring.crt"], ["update-ca-certificates"]]
        case .java:
            [
                [
                    "keytool", "-importcert", "-noprompt", "-alias", "sparring", "-file", facts.authority, "-keystore", "sparring.p12",
                    "-storetype",
                    "PKCS12", "-storepass", "changeit",
                ]
            ]
        case .iosDevice, .node, .python, .curl: []
        }
    }

    /// The commands that `--undo` runs.
    func undoing(_ facts: Facts) -> [[String]] {
        switch self {
        case .iosSimulator: [["xcrun", "simctl", "keychain", "booted", "reset"]]
        case .android: [facts.tlsPort, facts.port].map { ["adb", "reverse", "--remove", "tcp:\($0)"] }
        case .macos: [["security", "remove-trusted-cert", facts.authority]]
        case .debian: [["rm", "-f", "/usr/local/share/ca-certificates/sparring.crt"], ["update-ca-certificates", "--fresh"]]
        case .java: [["rm", "-f", "sparring.p12"]]
        case .iosDevice, .node, .python, .curl: []
        }
    }
}
