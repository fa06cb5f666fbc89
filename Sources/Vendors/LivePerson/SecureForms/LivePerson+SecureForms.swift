import SparringVendorKit

/// Handlers of the tag "SecureForms". An invitation is published like any other event of an agent's.
extension LivePerson {
    func generateUploadToken(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let wish = call.body?["body"]?["uploadable"]
        let form = try openForm(wish?["invitationId"], in: wish?["dialogId"], of: session.consumer, db, call)
        let token: JSON = [
            "type": "SecureFormWriteToken", "readOtk": .string(call.draw("readOtk").uuid),
            "writeOtk": .string(call.draw("writeOtk").uuid),
        ]
        return .answer(
            reply("upload-token-generated", body: ["token": token], call, cause: "keys for the form \(form.invitationId.quoted)"))
    }

    func publishSecureSubmission(_ db: Database, _ call: Call) throws -> Decision {
        let session = try consumerSession(of: call).session
        let body = call.body?["body"]
        let invitation = body?["event"]?["message"]?["invitationId"]
        _ = try openForm(invitation, in: body?["dialogId"], of: session.consumer, db, call)
        return try publishEvent(db, call)
    }

    func agentGenerateDownloadToken(_ db: Database, _ call: Call) throws -> Decision {
        _ = try agentSession(of: call)
        let wish = call.body?["body"]?["downloadable"]
        let messaging = Messaging(call.occasion, db)
        let (_, dialog) = try messaging.dialog(wish?["dialogId"]?.idText ?? "")
        let (invitation, submission) = (wish?["invitationId"]?.string ?? "", wish?["submissionId"]?.string ?? "")
        let form = try messaging.submittedForm(invitation, as: submission, in: dialog)
        let token: JSON = ["type": "SecureFormReadToken", "readOtk": .string(call.draw("readOtk").uuid)]
        return .answer(
            reply(
                "agent-download-token-generated", body: ["token": token], call,
                cause: "a key for what was typed into the form \(form.invitationId.quoted)"))
    }

    /// A form that a consumer can still fill in, in one of their dialogs.
    private func openForm(
        _ invitationId: JSON?, in dialogId: JSON?, of consumer: String, _ db: Database, _ call: Call
    ) throws -> SecureForm {
        let messaging = Messaging(call.occasion, db)
        let (_, dialog) = try messaging.dialog(dialogId?.idText ?? "", of: consumer)
        return try messaging.openForm(invitationId?.string ?? "", in: dialog)
    }
}
