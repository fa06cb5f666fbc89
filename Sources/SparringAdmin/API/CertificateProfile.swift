import Crypto
import Foundation

/// A configuration profile with the local CA, for Apple's devices.
struct CertificateProfile {
    /// DER.
    private let certificate: Data

    init(_ pem: String) {
        let lines = pem.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN CERTIFICATE") }.dropFirst().prefix {
            !$0.hasPrefix("-----END")
        }
        certificate = Data(base64Encoded: lines.joined()) ?? Data()
    }

    /// The same certificate gives the same profile, so that it takes the place of an earlier one.
    private func identifier(_ part: String) -> String {
        let digest = SHA256.hash(data: certificate + Data(part.utf8))
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80  // version 8, of a vendor's own making (RFC 9562 §5.8)
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
    }

    var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>PayloadContent</key>
          <array>
            <dict>
              <key>PayloadCertificateFileName</key><string>sparring-ca.cer</string>
              <key>PayloadContent</key><data>\(certificate.base64EncodedString())</data>
              <key>PayloadDisplayName</key><string>Sparring CA</string>
              <key>PayloadIdentifier</key><string>sparring.ca.certificate</string>
              <key>PayloadType</key><string>com.apple.security.root</string>
              <key>PayloadUUID</key><string>\(identifier("certificate"))</string>
              <key>PayloadVersion</key><integer>1</integer>
            </dict>
          </array>
          <key>PayloadDescription</key><string>Lets this device trust a local Sparring, a mock backend for tests. Remove it afterwards.</string>
          <key>PayloadDisplayName</key><string>Sparring (for tests)</string>
          <key>PayloadIdentifier</key><string>sparring.ca</string>
          <key>PayloadType</key><string>Configuration</string>
          <key>PayloadUUID</key><string>\(identifier("profile"))</string>
          <key>PayloadVersion</key><integer>1</integer>
        </dict>
        </plist>

        """
    }
}
