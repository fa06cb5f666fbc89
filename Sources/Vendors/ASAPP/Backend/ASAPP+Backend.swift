import SparringVendorKit

/// The customer's backend that stands in where a company has none of its own: the push endpoint and the validation API.
extension ASAPP {
    func receivePush(_ db: Database, _ call: Call) throws -> Decision {
        let endpoint = call.settings(of: self).push
        let body = call.body ?? [:]
        if let objection = endpoint.objection(to: body, headers: call.header) { throw Refusal("push-credentials-refused", objection) }
        let device = endpoint.template.value(.deviceToken, in: body)
        if let breach = endpoint.template.breach(in: body), device != nil { throw Refusal("push-malformed", breach) }
        guard let token = device?.string, !token.isEmpty else {
            throw Refusal("device-token-missing", "\(endpoint.template.place(.deviceToken)) is missing, empty or no text")
        }
        guard let known = try call.sandbox.devices.device(token, db) else {
            throw Refusal("device-unknown", "no device was ever registered as \(token.abbreviated(to: 100).quoted)")
        }
        if let renewed = known.renewed {
            throw Refusal("device-unknown", "the device now has the token \(renewed.abbreviated(to: 100).quoted)")
        }
        if let message = endpoint.template.value(.messageId, in: body)?.string,
            try !PushTokenState.isFirst(message, on: token, of: call.tenant.id, call.sandbox.id, db)
        {
            return .answer("push-accepted", ["status": "accepted"], cause: "\(message) is on the device already: a repeat is dropped")
        }
        let notification = endpoint.template.notification(body)
        let number = try arrive(notification, at: token, nil, call.sandbox, call.now, db)
        return .answer(
            "push-accepted", ["status": "accepted"],
            cause: "notification \(number) on \(known.consumer ?? "nobody")'s device, UnreadMessages \(notification.unread)")
    }

    // MARK: Validation

    /// The verified owner of a JWT, or why it is refused; nil where the token is not a JWT.
    func prepareValidation(_ call: Call) async throws -> Result<CredentialCheck.Verified, Refusal>? {
        let token = call.field("token") ?? ""
        guard token.contains(".") else { return nil }
        let check = CredentialCheck(call: call, trust: call.settings(of: self).trust, decryptionKey: try decryptionKey())
        do throws(Refusal) { return .success(try await check.check(token, chosen: nil)) } catch { return .failure(error) }
    }

    /// The backend knows the brand's access tokens, and can read its JWTs.
    func validateContext(
        _ db: Database, _ call: Call, _ checked: Result<CredentialCheck.Verified, Refusal>?
    ) throws -> Decision {
        let user: String
        let token = call.field("token") ?? ""
        if let access = try BrandAccessToken.find(token, call.sandbox.id, db) {
            guard !access.isOfClient, access.revokedBy == nil else {
                throw Refusal("token-invalid", access.isOfClient ? "a client's own token, no user's" : "the access token was revoked")
            }
            if call.now >= access.expiresAt {
                throw Refusal("token-expired", "the access token expired \((call.now - access.expiresAt).words) ago")
            }
            user = access.subject
        } else {
            switch checked {
            case .success(let verified)?: user = verified.sub
            case .failure(let refusal)?:
                throw Refusal(refusal.name == "token-expired" ? "token-expired" : "token-invalid", refusal.cause)
            case nil: throw Refusal("token-invalid", "the brand never issued this token")
            }
        }
        return .answer("token-valid", ["valid": true, "userIdentifier": .string(user)], cause: "a token of \(user)")
    }
}
