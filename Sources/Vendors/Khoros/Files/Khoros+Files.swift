import SparringVendorKit

/// Files (Khoros reference 1.3).
extension Khoros {
    /// A body of megabytes is read before it is decided, so that nobody waits for that.
    func sendingFile() -> Handler {
        .prepare { call in
            Result { () throws(MultipartForm.Malformed) in
                try MultipartForm(call.request.body, contentType: call.header(.contentType) ?? "")
            }
        } thenDecide: { db, call, form in
            try inConversation(call, db) { messenger, conversation in
                switch form {
                case .failure(let malformed):
                    .refusal(Refusal("request-malformed", "the body is not readable multipart/form-data: \(malformed)"))
                case .success(let form): try sendFile(form, messenger, call, conversation)
                }
            }
        }
    }

    private static let clientId = HTTPField.Name("x-smooch-clientid")!

    private func sendFile(
        _ form: MultipartForm, _ messenger: Messenger, _ call: Call, _ conversation: MessengerConversation
    ) throws -> Decision {
        guard let file = form.parts.first(where: { $0.fileName != nil }) else {
            let names = form.parts.map(\.name).joined(separator: ", ")
            throw Refusal("file-missing", "no part has a file name; there are \(names)")
        }
        func json(_ name: String) -> JSON? { form[name].flatMap { try? JSON(parsing: $0.bytes) } }
        let mimeType = file.contentType ?? "application/octet-stream"
        let author = json("author")
        let limit = call.settings(of: self).largestFile
        guard file.bytes.count <= limit else {
            let id = messenger.draw("message").hex24
            let client = author?["client"]?["id"]?.string ?? call.header(Self.clientId)
            try messenger.tell(
                "uploadFailed",
                .members([
                    "type": "upload:failed", "conversation": conversation.eventJSON, "client": client.map { ["id": .string($0)] },
                    "data": ["messageId": .string(id)], "err": ["status": 413, "code": "payload_too_large"],
                ]))
            return .answer("file-taken", ["messageId": .string(id)], cause: "\(file.bytes.count) bytes, \(limit) are taken: it fails")
        }
        let url = try messenger.keep(file.bytes, mimeType)
        var message = json("message") ?? [:]
        message["type"] = .string(mimeType.hasPrefix("image/") ? "image" : "file")
        let media: JSON.Object = ["mediaUrl": .string(url), "mediaType": .string(mimeType), "mediaSize": .integer(Int64(file.bytes.count))]
        let said = try messenger.say(message, in: conversation, client: author?["client"], tab: author?["sessionId"], media: media)
        return .answer(
            "file-sent",
            [
                "messageId": .string(said.message.id), "messages": [said.message.json(base: messenger.base)],
                "conversation": said.conversation.json,
            ], cause: "\((file.fileName ?? "").quoted), \(file.bytes.count) bytes")
    }

    func fetchFile(_ db: Database, _ call: Call) throws -> Decision {
        guard let file = try MediaState.file(call.path("file"), of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("file-unknown", "no message has a file there")
        }
        let answers = ["image/jpeg": "jpeg-found", "image/png": "png-found", "application/pdf": "pdf-found", "text/plain": "text-found"]
        let name = answers[file.mimeType.lowercased()] ?? "file-found"
        return .answer(name, file.stored, cause: "\(file.stored.bytes.count) bytes")
    }
}
