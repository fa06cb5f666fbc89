import SparringVendorKit

/// Handlers of the tag "Discovery".
extension IdentityProvider {
    /// OpenID Connect Discovery 1.0 §3, RFC 8414 §2.
    func discovered(_ call: Call) -> Answer {
        let settings = call.settings(of: self)
        let hasSecrets = !settings.allClients.allSatisfy(\.isPublic)
        func words(_ words: [String]) -> JSON { .array(words.map { .string($0) }) }
        return Answer(
            "discovered",
            [
                "issuer": .string(issuer(settings, base: call.base)),
                "authorization_endpoint": .string(call.base + path(.authorize, settings)),
                "token_endpoint": .string(call.base + path(.token, settings)),
                "jwks_uri": .string(call.base + path(.readKeys, settings)),
                "userinfo_endpoint": .string(call.base + path(.userinfo, settings)),
                "revocation_endpoint": .string(call.base + path(.revoke, settings)),
                "end_session_endpoint": .string(call.base + path(.endSession, settings)),
                "introspection_endpoint": .string(call.base + path(.introspect, settings)),
                "response_types_supported": words(["code", "id_token", "id_token token", "token"]),
                "response_modes_supported": words(AuthorizationRequest.ResponseMode.allCases.map(\.rawValue)),
                "grant_types_supported": words(
                    ["authorization_code", "refresh_token", "implicit"] + (hasSecrets ? [Self.clientCredentials] : [])),
                "subject_types_supported": words(["public"]),
                "id_token_signing_alg_values_supported": words([settings.algorithm.rawValue]),
                "id_token_encryption_alg_values_supported": words(EncryptionAlgorithm.allCases.map(\.rawValue)),
                "id_token_encryption_enc_values_supported": words(ContentEncryption.allCases.map(\.rawValue)),
                "token_endpoint_auth_methods_supported": words(Self.authenticationMethods(settings.allClients)),
                "revocation_endpoint_auth_methods_supported": words(Self.authenticationMethods(settings.allClients)),
                "introspection_endpoint_auth_methods_supported": words(Self.secretMethods),
                "code_challenge_methods_supported": words(PKCE.Method.allCases.map(\.rawValue)),
                "scopes_supported": words(["openid", "profile", "email", "offline_access"]),
                "claims_supported": words(["iss", "sub", "aud", "iat", "exp", "auth_time", "nonce", "at_hash"]),
                "claims_parameter_supported": false, "request_parameter_supported": false, "request_uri_parameter_supported": false,
                "authorization_response_iss_parameter_supported": true,  // RFC 9207 §3
            ])
    }

    /// Libraries ask at the root of the host where they are configured with an issuer without a path. A provider whose issuer has one is not there: its
    /// metadata would have another issuer than was asked for, which clients must refuse (OpenID Connect Discovery 1.0 §4.3).
    func discoveredAtRoot(_ call: Call) -> Decision {
        let settings = call.settings(of: self)
        let issuer = issuer(settings, base: call.base)
        let afterScheme = issuer.firstRange(of: "://").map { issuer[$0.upperBound...] } ?? issuer[...]
        guard let slash = afterScheme.firstIndex(of: "/"), afterScheme.index(after: slash) < afterScheme.endIndex else {
            return .answer(discovered(call))
        }
        return .refusal(
            Refusal(
                "issuer-elsewhere",
                "the issuer is \(issuer), so its metadata is at \(call.base)\(path(.discover, settings)) (OpenID Connect Discovery 1.0 §4)")
        )
    }

    private static let secretMethods = ["client_secret_basic", "client_secret_post"]

    /// How the tenant's clients prove themselves, in RFC 7591 §2's words; public clients do not (`none`).
    private static func authenticationMethods(_ clients: [Client]) -> [String] {
        let secrets = clients.allSatisfy(\.isPublic) ? [] : secretMethods
        return secrets + (clients.contains(where: \.isPublic) ? ["none"] : [])
    }

    /// RFC 7517 §5: the newest key first.
    func keysPublished(_ call: Call) throws -> Answer {
        let settings = call.settings(of: self)
        let indices = [settings.key] + settings.previousKeys.filter { $0 != settings.key }
        let keys = try indices.map { try signingKey(settings, index: $0).verificationKey }
        return Answer("keys-published", KeySet(keys: keys).json)
    }
}
