package import Foundation
import X509

extension LocalAuthority {
    private static let day: TimeInterval = 86_400
    private static let month: TimeInterval = 30 * day

    /// A new certificate that has this one defect and is sound otherwise: for the names of ``identity(hosts:now:)``, from this authority.
    /// It is not kept in the folder.
    package func identity(
        with defect: CertificateDefect, hosts: [String], now: Date = Date()
    ) throws(LocalAuthorityError) -> ServerIdentity {
        let names = try Self.subjectAlternativeNames(defect == .wrongHost ? ["wrong-host.invalid"] : Self.names(for: hosts))
        let (begin, end) = (now.addingTimeInterval(-3600), now.addingTimeInterval(Self.month))
        switch defect {
        case .expired:
            return shown(try issue(names, from: now.addingTimeInterval(-Self.month), until: now.addingTimeInterval(-Self.day)))
        case .notYetValid: return shown(try issue(names, from: end, until: end.addingTimeInterval(Self.month)))
        case .wrongHost: return shown(try issue(names, from: begin, until: end))
        case .untrustedIssuer:
            let stranger = try stranger(now: now)
            return stranger.shown(try stranger.issue(names, from: begin, until: end))
        case .selfSigned: return try CertifiedKey("Sparring", for: names, from: begin, until: end, by: nil).identity(followedBy: "")
        }
    }

    /// A port for each defect, named as it is, `old-tls` and `stalled-handshake`; the system chooses their numbers.
    package func defectivePorts(hosts: [String], now: Date = Date()) throws(LocalAuthorityError) -> [TLSPort] {
        var ports: [TLSPort] = []
        for defect in CertificateDefect.allCases {
            ports.append(TLSPort(name: defect.rawValue, kind: .identity(try identity(with: defect, hosts: hosts, now: now))))
        }
        return ports + [
            TLSPort(name: TLSPort.oldTLS, kind: .oldTLS(try identity(hosts: hosts, now: now))),
            TLSPort(name: TLSPort.stalledHandshake, kind: .stalledHandshake),
        ]
    }
}
