import SparringVendorKit

/// Handlers of the tag "Attachments" (CXone reference 3.5).
extension CXone {
    func uploadAttachment(_ db: Database, _ call: Call, _ channel: Channel) throws -> Decision {
        let (name, mimeType) = (call.field("fileName") ?? "", call.field("mimeType") ?? "")
        let files = channel.files
        // The SDKs decode the refusal: the restrictions as they are.
        func refused(_ answer: String, _ cause: String) -> Decision { .answer(answer, files.json, cause: cause) }
        guard files.isAttachmentsEnabled else { return refused("attachments-disabled", "channel '\(channel.id)' takes no files") }
        guard let bytes = call.field("content").flatMap(Base64.decode) else {
            throw Refusal("request-malformed", "content is not Base64 (RFC 4648 §4)")
        }
        guard bytes.count <= files.allowedFileSize << 20 else {
            return refused("file-too-large", "\(bytes.count) bytes, \(files.allowedFileSize) MB are taken")
        }
        guard files.takes(mimeType) else {
            let known = files.allowedFileTypes.map(\.mimeType).joined(separator: ", ")
            return refused("file-type-refused", "\(mimeType.quoted) is not one of \(known)")
        }
        return .answer(
            "attachment-uploaded", ["fileUrl": .string(call.base + (try upload(bytes, name, mimeType, call.occasion, db)))],
            cause: "\(name.quoted), \(bytes.count) bytes")
    }

    /// The body of a refused upload that a fault forces: the channel's own restrictions, as a natural refusal has them.
    ///
    /// A file that is larger than what the configuration allows never leaves the SDKs. One that is refused as too large met a limit that has been
    /// lowered since: by 1 MB here. The SDK for iOS 3.3.1 takes any other limit for a type that is refused (ChatThreadService.swift:717).
    func restrictions(for refusal: Refusal, _ call: Call) -> JSON? {
        guard ["file-too-large", "file-type-refused", "attachments-disabled"].contains(refusal.name),
            var files = call.settings(of: self).channel(call.path("channelId"))?.files
        else { return nil }
        switch refusal.name {
        case "file-too-large": files.allowedFileSize = max(0, files.allowedFileSize - 1)
        case "attachments-disabled": files.isAttachmentsEnabled = false
        default: break
        }
        return files.json
    }

    /// - Returns: the path at which the file can be fetched.
    func upload(_ bytes: [UInt8], _ name: String, _ mimeType: String, _ occasion: Occasion, _ db: Database) throws -> String {
        let ending = name.split(separator: ".").dropFirst().last.map {
            "." + $0.prefix(10).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        let file = occasion.draw("attachment").uuid + (ending ?? "")
        let content = try occasion.sandbox.files.keep(bytes, at: occasion.now, db)
        try AttachmentState.keep(
            .init(file: file, name: name, mimeType: mimeType, content: content), of: occasion.tenant.id, occasion.sandbox.id, db)
        return path(.fetchAttachment, ["brandId": occasion.tenant.id, "file": file])
    }

    func fetchAttachment(_ db: Database, _ call: Call) throws -> Decision {
        guard let file = try AttachmentState.file(call.path("file"), of: call.tenant.id, call.sandbox.id, db) else {
            throw Refusal("file-unknown", "nothing was uploaded there")
        }
        let answers = [
            "image/jpeg": "jpeg-fetched", "image/png": "png-fetched", "image/gif": "gif-fetched", "application/pdf": "pdf-fetched",
        ]
        let name = answers[file.mimeType.lowercased()] ?? "file-fetched"
        let stored = try StoredFiles.file(file.content, db)
        return .answer(name, stored, cause: "\(file.name.quoted), \(stored.bytes.count) bytes")
    }
}
