import GRDB
import SparringEngine
import SparringJSON
import SparringJournal
import SparringSandbox

/// A form for what must not stand in a conversation, as the events of its dialog tell of it: an agent's invitation, and the consumer's submission.
struct SecureForm: Sendable {
    struct Submission: Sendable {
        /// Under which the values are kept; nil: the client has not said.
        var id: String?
        var sequence: Int
    }

    let invitationId: String
    /// Sandbox time.
    let sent: Timestamp
    /// Nil: it is still to be filled in.
    var submission: Submission?

    /// The latest of that id that was sent to the dialog's consumer; nil: none was.
    ///
    /// - Parameter events: those of the dialog, in their order.
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

    /// An event of either kind with what the consumer's history has of it (Consumer Messaging History API, Conversations - Content).
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

/// Finding forms.
extension Messaging {
    private func form(_ invitationId: String, in dialog: Conversation.Dialog) throws -> SecureForm? {
        SecureForm(invitationId, in: try Conversation.events(dialog: dialog.id, from: 0, sandbox: sandbox.id, db))
    }

    /// A form that the consumer can still fill in.
    func openForm(_ invitationId: String, in dialog: Conversation.Dialog) throws -> Result<SecureForm, Refusal> {
        guard let form = try form(invitationId, in: dialog) else {
            return .failure(Refusal("form-unknown", "no secure form \(invitationId.quoted) was sent in dialog \(dialog.id)"))
        }
        if let submission = form.submission {
            return .failure(Refusal("form-submitted", "the form \(invitationId.quoted) was submitted with event \(submission.sequence)"))
        }
        if let lifetime = settings.messaging.secureFormLifetime, now >= form.sent + lifetime {
            return .failure(
                Refusal(
                    "form-expired",
                    "the form \(invitationId.quoted) was sent \((now - form.sent).words) ago, and lasts for \(lifetime.words)"))
        }
        return .success(form)
    }

    /// A form that was submitted under that id.
    func submittedForm(_ invitationId: String, as submissionId: String, in dialog: Conversation.Dialog) throws -> Result<
        SecureForm, Refusal
    > {
        let form = try form(invitationId, in: dialog)
        guard let form, let submission = form.submission, submission.id == submissionId else {
            let what = form == nil ? "was sent" : form?.submission == nil ? "was submitted yet" : "was submitted as \(submissionId.quoted)"
            return .failure(Refusal("submission-unknown", "no secure form \(invitationId.quoted) \(what) in dialog \(dialog.id)"))
        }
        return .success(form)
    }

    /// What an agent's act sends. Its id is made up in LivePerson's form, where the act has none: the consumer, the form, the time, and a number that here
    /// counts the dialog's forms.
    func invitation(_ act: AgentAct, in conversation: Conversation) throws -> JSON {
        let formId = act.json["formId"] ?? 1
        var invitationId = act.json["invitationId"]?.string
        if invitationId == nil, let dialog = conversation.dialogs.first {
            let events = try Conversation.events(dialog: dialog.id, from: 0, sandbox: sandbox.id, db)
            let number = events.count { $0["event"]?["contentType"]?.string == MessagingTerms.secureInvitation } + 1
            invitationId = "\(conversation.consumer)-\(formId.idText ?? "")-\(now.milliseconds)-\(number)"
        }
        return [
            "type": "ContentEvent", "contentType": .string(MessagingTerms.secureInvitation),
            "message": .members([
                "formId": formId, "invitationId": invitationId.map { .string($0) }, "title": act.json["title"],
            ]),
        ]
    }
}
