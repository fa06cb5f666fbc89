import SparringContract
import Support
import Testing

/// The meaning of each unhappy answer to a client, written down a second time: rules, faults and reports go by it, and a slip in a contract
/// would turn a verdict round.
@Suite struct OutcomeTests {
    private static let outcomes: [String: [AnswerOutcome: [String]]] = [
        "identity": [
            .authentication: [
                "code-unknown", "code-reused", "code-expired", "code-of-another-client", "redirect-uri-mismatch",
                "code-verifier-mismatch", "code-verifier-missing", "refresh-token-unknown", "refresh-token-reused",
                "refresh-token-expired", "refresh-token-revoked", "access-token-missing", "access-token-unknown", "access-token-expired",
                "access-token-revoked", "session-required", "session-unknown", "session-expired",
            ],
            .unavailable: [
                "rate-limited", "server-error", "temporarily-unavailable",
            ],
            .refused: [
                "invalid-request", "tenant-unknown", "invalid-redirect-uri", "unknown-client", "unauthorized-client",
                "unsupported-grant-type", "invalid-scope", "invalid-client", "client-refused", "user-of-another",
                "insufficient-scope", "issuer-elsewhere", "token-inactive", "token-of-another-client", "unsupported-token-type",
            ],
        ],
        "liveperson": [
            .authentication: [
                "unauthorized", "bad-signature", "token-expired", "token-not-yet-valid", "claim-missing", "issuer-mismatch",
                "audience-mismatch", "unknown-key", "key-unavailable", "algorithm-refused", "token-malformed", "jwe-undecryptable",
                "code-reused", "code-expired", "code-unknown", "redirect-uri-mismatch", "code-verifier-mismatch",
                "code-verifier-missing", "client-refused", "token-endpoint-refused", "issuer-unknown", "token-refused", "token-invalid",
                "token-missing", "token-revoked", "unauthenticated", "credentials-refused", "session-expired", "csrf-mismatch",
                "identity-invalid", "app-token-missing", "app-token-invalid", "app-token-expired", "consumer-token-missing",
                "consumer-token-invalid", "service-denied", "signature-invalid", "token-denied",
            ],
            .unavailable: [
                "rate-limited", "internal-error", "unavailable", "account-loading", "account-loading-accepted",
            ],
            .upstream: ["token-endpoint-unreachable", "token-endpoint-timeout", "token-endpoint-nonsense"],
            .refused: [
                "request-malformed", "account-unknown", "app-installation-invalid", "app-token-incomplete", "brand-id-missing",
                "client-unknown", "connector-unknown", "consumer-missing", "consumer-unknown", "conversation-already-open",
                "conversation-closed", "conversation-unknown", "device-unknown", "dialog-closed", "dialog-unknown", "file-too-large",
                "file-type-refused", "file-unknown", "no-apps", "not-emulated", "agent-not-in-conversation", "participant-forbidden",
                "preview-too-large", "precondition-failed", "range-not-satisfiable", "form-expired", "form-submitted", "form-unknown",
                "submission-unknown",
                "ring-expired", "ring-unknown", "service-unknown", "agent-unknown", "session-invalid", "subscription-unknown",
                "unsupported-grant-type",
                "upgrade-required", "url-expired", "url-invalid", "version-unsupported", "visitor-invalid",
            ],
        ],
        "cxone": [
            .authentication: [
                "access-token-expired", "access-token-missing", "access-token-unknown", "algorithm-refused", "audience-mismatch",
                "bad-signature", "claim-missing", "customer-authorization-failed", "customer-reconnection-failed", "client-refused",
                "code-expired", "code-missing", "code-reused", "code-unknown",
                "code-verifier-mismatch", "code-verifier-missing", "identity-missing", "issuer-mismatch", "jwe-undecryptable",
                "key-unavailable", "not-authorized", "redirect-uri-mismatch", "refresh-token-refused", "refresh-token-unknown",
                "token-endpoint-refused", "token-expired", "token-malformed", "token-missing", "token-not-yet-valid", "token-unknown",
                "transaction-token-expired", "transaction-token-missing", "transaction-token-unknown", "unknown-key",
            ],
            .unavailable: ["gateway-error", "internal-error", "rate-limited", "unavailable"],
            .upstream: ["token-endpoint-unreachable", "token-endpoint-timeout", "token-endpoint-nonsense"],
            .refused: [
                "archiving-thread-failed", "attachments-disabled", "brand-unknown", "channel-unknown",
                "creating-invitation-to-group-chat-failed", "event-unknown", "file-too-large", "file-type-refused", "file-unknown",
                "inconsistent-data", "ip-blocked", "joining-group-chat-failed", "message-unknown", "recovering-livechat-failed",
                "precondition-failed", "range-not-satisfiable",
                "recovering-thread-failed", "request-malformed", "sdk-version-not-supported", "secured-sessions-disabled",
                "sending-email-invitation-to-group-chat-failed", "sending-message-failed", "sending-offline-message-failed",
                "sending-outbound-failed", "sending-transcript-failed", "updating-thread-failed", "upgrade-required", "url-expired",
            ],
        ],
        "khoros": [
            .authentication: [
                "account-scope-refused", "algorithm-refused", "authorization-malformed", "authorization-missing", "bad-signature",
                "claim-missing", "code-expired",
                "code-reused", "code-unknown", "key-id-missing", "scope-refused", "session-unknown", "token-expired", "token-malformed",
                "token-not-yet-valid", "unknown-key", "upgrade-refused", "user-id-not-a-string", "user-mismatch",
            ],
            .unavailable: ["connect-refused", "internal-error", "rate-limited", "unavailable"],
            .refused: [
                "action-unknown", "app-unknown", "client-unknown", "conversation-limit", "conversation-unknown", "email-taken",
                "file-missing", "file-too-large", "file-unknown", "handshake-refused", "integration-unknown", "not-emulated",
                "platform-mismatch", "precondition-failed", "range-not-satisfiable",
                "request-malformed", "subscription-malformed", "upgrade-required", "user-of-another", "user-taken", "user-unknown",
            ],
        ],
        "asapp": [
            .authentication: [
                "context-algorithm-refused", "context-audience-mismatch", "context-bad-signature", "context-claim-missing",
                "context-issuer-mismatch", "context-not-yet-valid", "context-refused", "context-token-expired", "context-token-malformed",
                "context-token-missing", "context-unknown-key", "context-user-mismatch", "push-credentials-refused", "session-expired",
                "session-missing", "session-revoked", "session-unknown", "socket-token-expired", "socket-token-missing",
                "socket-token-reused", "socket-token-revoked", "socket-token-unknown", "token-expired", "token-invalid",
            ],
            .unavailable: [
                "context-key-unavailable", "internal-error", "rate-limited", "unavailable", "validation-nonsense", "validation-timeout",
                "validation-unreachable",
            ],
            .refused: [
                "api-secret-missing", "api-secret-refused", "company-unknown", "device-token-empty", "device-token-missing",
                "device-unknown", "message-unknown", "push-malformed", "request-malformed", "upgrade-required",
            ],
        ],
        "talkdesk": [
            .authentication: [
                "assertion-expired", "assertion-reused", "code-expired", "code-of-another-client", "code-reused", "code-unknown",
                "redirect-uri-mismatch", "refresh-token-expired", "refresh-token-of-another-client", "refresh-token-reused",
                "refresh-token-revoked", "refresh-token-unknown", "session-expired", "session-required", "session-unknown",
                "token-expired", "token-missing", "token-revoked", "token-unknown",
            ],
            .unavailable: [
                "internal-error", "rate-limited", "talkdesk-timed-out", "talkdesk-unreachable", "unavailable",
            ],
            .refused: [
                "access-denied", "account-unknown", "app-credentials-refused", "app-unknown", "assertion-algorithm-refused",
                "assertion-audience-mismatch", "assertion-bad-signature", "assertion-claim-missing", "assertion-from-the-future",
                "assertion-key-unknown", "assertion-malformed", "assertion-subject-mismatch", "assertion-too-long",
                "assertion-type-unsupported", "client-authentication-ambiguous", "client-authentication-missing", "client-refused",
                "client-unknown", "conversation-ended", "conversation-unknown", "idempotency-key-reused", "interaction-ended",
                "interaction-of-another", "interaction-unknown", "invalid-redirect-uri", "invalid-scope", "login-required",
                "media-type-unsupported", "phone-number-refused", "request-malformed", "response-type-missing", "scope-missing",
                "talkdesk-number-unknown", "talkdesk-refused", "touchpoint-unknown", "unauthorized-client", "unsupported-grant-type",
                "unsupported-response-type",
            ],
        ],
    ]

    @Test(arguments: ["identity", "liveperson", "cxone", "khoros", "asapp", "talkdesk"])
    func `each unhappy answer of a vendor's has the outcome that its name stands for`(vendor: String) throws {
        let contract = try #require(try Contract.load(directory: Repository.folder("contracts")).first { $0.vendor == vendor })
        let expected = try #require(Self.outcomes[vendor])
        var named: [AnswerOutcome: Set<String>] = [:]
        for operation in contract.operations {
            for answer in operation.answers where answer.isUnhappy {
                #expect(expected[answer.outcome]?.contains(answer.name) == true, "\(operation.id): \(answer.name) is \(answer.outcome)")
                named[answer.outcome, default: []].insert(answer.name)
            }
        }
        #expect(named == expected.mapValues(Set.init))
    }
}
