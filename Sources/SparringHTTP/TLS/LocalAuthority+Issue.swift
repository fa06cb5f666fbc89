package import Foundation
import SwiftASN1
import X509
import SparringJSON

extension LocalAuthority {
    /// Longer ones are refused by Apple's clients and by the CA/Browser Forum's Baseline Requirements §6.3.2.
    private static let leafLifetime: TimeInterval = 397 * 86_400
    private static let renewal: TimeInterval = 7 * 86_400

    /// Names under which simulators, containers and the machine itself reach a local server, and those that name a sandbox. OpenSSL and Node take no
    /// wildcard with one label behind it: for them there is `*.sparring.localhost`.
    private static let usualHosts = {
        let machine = ProcessInfo.processInfo.hostName.lowercased()
        return [
            "localhost", "127.0.0.1", "::1", "10.0.2.2", "host.docker.internal", "default.localhost", "*.localhost", "*.sparring.localhost",
        ]
            + (isHostName(machine) ? [machine] : [])
    }()

    /// The names, lower case and without repetition, that a certificate for these hosts has.
    package static func names(for hosts: [String]) -> [String] {
        var seen: Set<String> = []
        return (usualHosts + hosts).map { $0.lowercased() }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The names that a certificate has for a host: those below it name sandboxes. An address has none.
    package static func names(of host: String) -> [String] { address(host) == nil ? [host, "*.\(host)"] : [host] }

    /// A certificate for the usual names and for `hosts`: the one in the folder while it fits, else a new one.
    package func identity(hosts: [String], now: Date = Date()) throws(LocalAuthorityError) -> ServerIdentity {
        let names = try Self.subjectAlternativeNames(Self.names(for: hosts))
        if let kept = try folder.read(.leaf), fits(kept.certificate, names, now) { return shown(kept) }
        let made = try issue(names, from: now.addingTimeInterval(-3600), until: now.addingTimeInterval(Self.leafLifetime))
        try folder.replace(.leaf, made)
        return shown(made)
    }

    /// A certificate for one name or address that a client asks for; it is not kept.
    func identity(named host: String, now: Date = Date()) throws(LocalAuthorityError) -> ServerIdentity {
        let names = try Self.subjectAlternativeNames([host.lowercased()])
        return shown(try issue(names, from: now.addingTimeInterval(-3600), until: now.addingTimeInterval(Self.leafLifetime)))
    }

    /// The authority follows, so that clients that trust it find the whole chain.
    func shown(_ leaf: CertifiedKey) -> ServerIdentity { leaf.identity(followedBy: certificatePEM) }

    private func fits(_ leaf: Certificate, _ names: SubjectAlternativeNames, _ now: Date) -> Bool {
        leaf.notValidAfter > now.addingTimeInterval(Self.renewal) && leaf.issuer == own.certificate.subject
            && own.certificate.publicKey.isValidSignature(leaf.signature, for: leaf)
            && (try? leaf.extensions.subjectAlternativeNames).map { Set($0) == Set(names) } == true
    }

    static func subjectAlternativeNames(_ hosts: [String]) throws(LocalAuthorityError) -> SubjectAlternativeNames {
        var names: [GeneralName] = []
        for host in hosts {
            if let address = address(host) {
                names.append(.ipAddress(ASN1OctetString(contentBytes: ArraySlice(address))))
            } else {
                guard isHostName(host) else {
                    throw LocalAuthorityError("--host", "\(host.quoted) is neither a host name nor an IP address", isUsage: true)
                }
                names.append(.dnsName(host))
            }
        }
        return SubjectAlternativeNames(names)
    }

    /// RFC 1123 §2.1 in lower case, with `_`, which containers' names have, and `*` as the first label (RFC 9525 §6.3).
    private static func isHostName(_ text: String) -> Bool {
        text.utf8.count <= 253 && text.wholeMatch(of: #/(\*\.)?[a-z0-9_\-]{1,63}(\.[a-z0-9_\-]{1,63})*/#) != nil
    }

    /// The 4 or 16 bytes of an IP address in text.
    private static func address(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }

    /// Certifies a new key. The certificate ends with the authority's at the latest.
    func issue(_ names: SubjectAlternativeNames, from begin: Date, until end: Date) throws(LocalAuthorityError) -> CertifiedKey {
        try CertifiedKey("Sparring", for: names, from: begin, until: min(end, own.certificate.notValidAfter), by: own)
    }
}
