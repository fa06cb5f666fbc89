import SparringVendorKit

/// A form for values that must not appear in a conversation, as the dialog's events have it: an agent's invitation, and the consumer's submission.
struct SecureForm: Sendable {
    struct Submission: Sendable {
        /// The id under which the values are kept; nil: the client did not name it.
        var id: String?
        /// The sequence of the submission's event.
        var sequence: Int
    }

    let invitationId: String
    /// Sandbox time.
    let sent: Timestamp
    /// Nil: the form has not been submitted.
    var submission: Submission?

    /// The latest form with that id that was sent to the dialog's consumer; nil: there is none.
    ///
    /// - Parameter events: the dialog's, in their order.
    init?(_ invitationId: String, in events: [JSON]) {
        let own = events.filter { $0["event"]?["message"]?["invitationId"]?.string == invitationId && MessagingTerms.isForEverybody($0) }
        let invitation = own.last { $0["event"]?["contentType"]?.string == MessagingTerms.secureInvitation }
        guard let sent = invitation?["serverTimestamp"]?.integer else { return nil }
        self.invitationId = invitationId
        self.sent = Timestamp(milliseconds: sent)
        let submitted = own.last { $0["event"]?["contentType"]?.string == MessagingTerms.secureSubmission }
        submission = submitted.map {
            Submission(
                id: $0["event"]?["message"]?["submissionId"]?.string,
                sequence: $0["sequence"]?.integer(in: MessagingTerms.sequences) ?? 0)
        }
    }

    /// An event in the form of the consumer's history: a secure form has only two members there (Consumer Messaging History API, Conversations -
    /// Content).
    static func historyForm(of event: JSON) -> JSON {
        guard [MessagingTerms.secureInvitation, MessagingTerms.secureSubmission].contains(event["contentType"]?.string) else {
            return event
        }
        var event = event
        let message = event["message"]
        event["message"] = .members(["invitationId": message?["invitationId"], "title": message?["title"]])
        return event
    }
}

/// Secure forms of a dialog.
extension Messaging {
    private func form(_ invitationId: String, in dialog: Conversation.Dialog) throws -> SecureForm? {
        SecureForm(invitationId, in: try Conversation.events(dialog: dialog.id, from: 0, sandbox: sandbox.id, db))
    }

    /// A form that the consumer can still fill in.
    func openForm(_ invitationId: String, in dialog: Conversation.Dialog) throws -> SecureForm {
        guard let form = try form(invitationId, in: dialog) else {
            throw Refusal("form-unknown", "no secure form \(invitationId.quoted) was sent in dialog \(dialog.id)")
        }
        if let submission = form.submission {
            throw Refusal("form-submitted", "the form \(invitationId.quoted) was submitted with event \(submission.sequence)")
        }
        if let lifetime = settings.messaging.secureFormLifetime, now >= form.sent + lifetime {
            throw Refusal(
                "form-expired",
                "the form \(invitationId.quoted) was sent \((now - form.sent).words) ago, and lasts for \(lifetime.words)")
        }
        return form
    }

    /// A form that was submitted under that id.
    func submittedForm(_ invitationId: String, as submissionId: String, in dialog: Conversation.Dialog) throws -> SecureForm {
        let form = try form(invitationId, in: dialog)
        guard let form, let submission = form.submission, submission.id == submissionId else {
            let what = form == nil ? "was sent" : form?.submission == nil ? "was submitted yet" : "was submitted as \(submissionId.quoted)"
            throw Refusal("submission-unknown", "no secure form \(invitationId.quoted) \(what) in dialog \(dialog.id)")
        }
        return form
    }

    /// The event that an agent's act sends. If the act has no id, one is made up in LivePerson's form: the consumer, the form, the time, and a number,
    /// which here counts the dialog's forms.
    func invitation(_ act: DeskAct<LivePerson.Act>, in conversation: Conversation) throws -> JSON {
        let formId = act.json["formId"]
        var invitationId = act.json["invitationId"]?.string
        if invitationId == nil, let dialog = conversation.dialogs.first {
            let events = try Conversation.events(dialog: dialog.id, from: 0, sandbox: sandbox.id, db)
            let number = events.count { $0["event"]?["contentType"]?.string == MessagingTerms.secureInvitation } + 1
            invitationId = "\(conversation.consumer)-\(formId?.idText ?? "")-\(now.milliseconds)-\(number)"
        }
        return [
            "type": "ContentEvent", "contentType": .string(MessagingTerms.secureInvitation),
            "message": .members(["formId": formId, "invitationId": invitationId.map { .string($0) }, "title": act.json["title"]]),
        ]
    }
}
