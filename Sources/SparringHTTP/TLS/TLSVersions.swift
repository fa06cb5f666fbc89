/// The versions of TLS that a listener speaks, as a priority string of GnuTLS.
enum TLSVersions: String {
    /// TLS 1.2 and 1.3: what is older is deprecated (RFC 8996), and vendors do not take it.
    case usual = "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1"
    /// SHA-1 is what those versions sign with (RFC 5246 §1.2).
    case old = "NORMAL:-VERS-ALL:+VERS-TLS1.1:+VERS-TLS1.0:+SIGN-ECDSA-SHA1:%VERIFY_ALLOW_SIGN_WITH_SHA1"
}
